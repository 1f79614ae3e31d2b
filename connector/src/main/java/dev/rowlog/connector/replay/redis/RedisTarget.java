package dev.rowlog.connector.replay.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowlog.connector.replay.spi.JsonFields;
import dev.rowlog.connector.replay.spi.ReplayTable;
import dev.rowlog.connector.replay.spi.Target;
import dev.rowlog.connector.replay.spi.TargetException;
import dev.rowlog.connector.replay.spi.TargetPosition;
import dev.rowlog.connector.replay.spi.TargetRow;
import dev.rowlog.connector.replay.spi.TargetRows;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.Transaction;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.resps.ScanResult;
import redis.clients.jedis.util.JedisURIHelper;

/**
 * A key a row; rows and position in one MULTI, which a changed position undoes.
 *
 * <p>The position is the string {@code rowlog:<name>:position}; with <code>{generation}</code> in the template the hash
 * {@code rowlog:<name>:generations} says by table which generation readers take.
 */
public final class RedisTarget implements Target {
  private static final int CONNECT_TIMEOUT_MS = 10_000;
  private static final int ANSWER_TIMEOUT_MS = 30_000;
  private static final int SCAN_COUNT = 1_000;
  private static final String OWN = "rowlog:";

  private final URI url;
  private final KeyTemplate template;
  private final ValueShape shape;
  private final String positionKey;
  private final String generationsKey;
  private final Map<String, KeyTemplate.Keys> keys = new HashMap<>();
  private final Map<String, String> heads = new TreeMap<>();
  private Jedis jedis;

  /** The position's text as we last saw or wrote it; null for none. */
  private String known;

  private RedisTarget(String name, URI url, KeyTemplate template, ValueShape shape) {
    this.url = url;
    this.template = template;
    this.shape = shape;
    this.positionKey = OWN + name + ":position";
    this.generationsKey = OWN + name + ":generations";
  }

  /**
   * Connects at the first use.
   *
   * @param name of the target, in its own keys
   * @param url {@code redis://user:password@host:port/database}, {@code rediss://} for TLS
   */
  public static RedisTarget of(String name, URI url, String template, ValueShape shape) {
    return new RedisTarget(name, url, KeyTemplate.of(template), shape);
  }

  /** Where nothing else is configured. */
  public static String defaultTemplate() {
    return KeyTemplate.DEFAULT;
  }

  @Override
  public String describe() {
    return "Redis at " + url.getHost() + ":" + (url.getPort() < 0 ? 6379 : url.getPort());
  }

  @Override
  public Optional<TargetPosition> position() {
    return ask(redis -> {
      known = redis.get(positionKey);
      return Optional.ofNullable(known).map(TargetPosition::parse);
    });
  }

  @Override
  public boolean isEmpty(ReplayTable table) {
    KeyTemplate.Keys first = keys(table, 1);
    return ask(redis -> {
      boolean[] found = {false};
      scan(redis, first.head(), key -> {
        found[0] = true;
        return false;
      });
      return !found[0];
    });
  }

  /** Keys that somebody deleted leave no trace. */
  @Override
  public boolean holds(ReplayTable table, int generation) {
    return true;
  }

  @Override
  public boolean rebuildsBeside() {
    return template.hasGeneration();
  }

  @Override
  public String howToStartOver(ReplayTable table) {
    return "delete its keys (redis-cli --scan --pattern '" + glob(keys(table, 1).head())
        + "*' | xargs redis-cli unlink; redis-cli del "
        + positionKey + "), or put {generation} into the template, such as 'v{generation}:" + template
        + "', so that it is built beside";
  }

  @Override
  public void create(ReplayTable table, int generation) {
    KeyTemplate.Keys mine = keys(table, generation);
    ensureApart(table, mine.head());
    if (rebuildsBeside()) {
      ask(redis -> unlink(redis, mine.head()));
    }
  }

  /** Two tables whose keys may be one another's would overwrite each other's rows. */
  private void ensureApart(ReplayTable table, String head) {
    heads.forEach((topic, other) -> {
      if (!topic.equals(table.topic()) && (head.startsWith(other) || other.startsWith(head))) {
        throw TargetException.refused("template '" + template + "' gives " + table.id() + " and topic " + topic
            + " keys that may be equal: put {schema}.{table}: before the key", null);
      }
    });
    heads.put(table.topic(), head);
  }

  private KeyTemplate.Keys keys(ReplayTable table, int generation) {
    try {
      return keys.computeIfAbsent(table.topic() + "\n" + generation, name -> template.keysOf(table, generation));
    } catch (IllegalArgumentException e) {
      throw TargetException.refused(e.getMessage(), e);
    }
  }

  @Override
  public void apply(List<TargetRows> rows, TargetPosition position) {
    rows.forEach(table -> ensureApart(table.table(), keys(table.table(), table.generation()).head()));
    store(position, transaction -> rows.forEach(table -> write(transaction, table)));
  }

  private void write(Transaction transaction, TargetRows table) {
    KeyTemplate.Keys spelled = keys(table.table(), table.generation());
    for (TargetRow row : table.all()) {
      byte[] key = spelled.of(row).getBytes(UTF_8);
      if (row.isDelete()) {
        transaction.del(key);
      } else if (shape == ValueShape.JSON) {
        transaction.set(key, row.value());
      } else {
        // A column that became null must not stay.
        transaction.del(key);
        transaction.hset(key, fields(row));
      }
    }
  }

  private static Map<byte[], byte[]> fields(TargetRow row) {
    Map<byte[], byte[]> fields = new HashMap<>();
    try {
      JsonFields.of(row.value()).forEach((column, text) -> {
        if (text != null) {
          fields.put(column.getBytes(UTF_8), text.getBytes(UTF_8));
        }
      });
    } catch (IOException e) {
      throw TargetException.refused("the row " + row.keyText() + " at offset " + row.offset() + " is no JSON object",
          e);
    }
    return fields;
  }

  @Override
  public void publish(List<ReplayTable> tables, TargetPosition position) {
    Map<String, String> before = rebuildsBeside() ? ask(redis -> redis.hgetAll(generationsKey)) : Map.of();
    store(position, transaction -> {
      for (ReplayTable table : rebuildsBeside() ? tables : List.<ReplayTable>of()) {
        transaction.hset(generationsKey, table.id().toString(), Integer.toString(generation(position, table)));
      }
    });
    for (ReplayTable table : rebuildsBeside() ? tables : List.<ReplayTable>of()) {
      int now = generation(position, table);
      for (int old = Integer.parseInt(before.getOrDefault(table.id().toString(), "1")); old < now; old++) {
        String head = keys(table, old).head();
        ask(redis -> unlink(redis, head));
      }
    }
  }

  private static int generation(TargetPosition position, ReplayTable table) {
    return position.table(table).orElseThrow().generation();
  }

  /** One MULTI that holds only if the position is still the one we know. */
  private void store(TargetPosition position, Consumer<Transaction> writes) {
    String next = position.toJson();
    ask(redis -> {
      redis.watch(positionKey);
      String now = redis.get(positionKey);
      List<Object> answers = null;
      if (Objects.equals(now, known)) {
        try (Transaction transaction = redis.multi()) {
          writes.accept(transaction);
          transaction.set(positionKey, next);
          answers = transaction.exec();
        }
      }
      if (answers == null) {
        throw TargetException.unavailable(describe() + " was moved or emptied by somebody else", null);
      }
      for (Object answer : answers) {
        if (answer instanceof JedisException failed) {
          throw failed;
        }
      }
      known = next;
      return null;
    });
  }

  private static long unlink(Jedis redis, String head) {
    long[] count = {0};
    scan(redis, head, key -> {
      redis.unlink(key);
      count[0]++;
      return true;
    });
    return count[0];
  }

  /** Gives each key that begins so, but for our own, until told to stop. */
  private static void scan(Jedis redis, String head, Predicate<byte[]> action) {
    ScanParams wanted = new ScanParams().match((glob(head) + "*").getBytes(UTF_8)).count(SCAN_COUNT);
    byte[] cursor = ScanParams.SCAN_POINTER_START_BINARY;
    do {
      ScanResult<byte[]> page = redis.scan(cursor, wanted);
      for (byte[] key : page.getResult()) {
        if (!new String(key, UTF_8).startsWith(OWN) && !action.test(key)) {
          return;
        }
      }
      cursor = page.getCursorAsBytes();
    } while (!new String(cursor, UTF_8).equals(ScanParams.SCAN_POINTER_START));
  }

  private static String glob(String text) {
    return text.replaceAll("([\\\\*?\\[\\]^])", "\\\\$1");
  }

  /** Connects where needed; a connection that failed is never used again. */
  private <T> T ask(Function<Jedis, T> question) {
    try {
      if (jedis == null) {
        jedis = new Jedis(JedisURIHelper.getHostAndPort(url), settings());
        jedis.connect();
      }
      return question.apply(jedis);
    } catch (JedisAccessControlException e) {
      disconnect();
      throw TargetException.refused(describe() + " refuses us: " + e.getMessage(), e);
    } catch (JedisConnectionException e) {
      disconnect();
      throw TargetException.unavailable(describe() + " does not answer: " + reason(e), e);
    } catch (JedisDataException e) {
      disconnect();
      throw isPassing(e.getMessage())
          ? TargetException.unavailable(describe() + " cannot write now: " + e.getMessage(), e)
          : TargetException.refused(describe() + " refuses: " + e.getMessage(), e);
    } catch (JedisException e) {
      disconnect();
      throw TargetException.unavailable(describe() + ": " + e.getMessage(), e);
    } catch (TargetException e) {
      disconnect();
      throw e;
    }
  }

  /** Jedis says that it could not connect; why, each address that it tried. */
  private static String reason(JedisConnectionException e) {
    Throwable root = e.getSuppressed().length > 0 ? e.getSuppressed()[0] : e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage()).strip().replaceAll("\\s*\\R\\s*", " ");
  }

  private JedisClientConfig settings() {
    DefaultJedisClientConfig.Builder settings = DefaultJedisClientConfig.builder().resp2().clientName("rowlog")
        .connectionTimeoutMillis(CONNECT_TIMEOUT_MS)
        .socketTimeoutMillis(ANSWER_TIMEOUT_MS).user(JedisURIHelper.getUser(url))
        .password(JedisURIHelper.getPassword(url))
        .database(JedisURIHelper.getDBIndex(url));
    return (JedisURIHelper.isRedisSSLScheme(url) ? settings.sslOptions(SslOptions.defaults()) : settings).build();
  }

  private static boolean isPassing(String message) {
    return message != null && message
        .matches("(?s)(LOADING|BUSY|MASTERDOWN|READONLY|OOM|EXECABORT|MISCONF|CLUSTERDOWN|TRYAGAIN|NOREPLICAS).*");
  }

  private void disconnect() {
    Jedis broken = jedis;
    jedis = null;
    if (broken != null) {
      try {
        broken.close();
      } catch (JedisException e) {
        // It is given up anyway.
      }
    }
  }

  @Override
  public void close() {
    disconnect();
  }
}
