package dev.rowlog.connector.replay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.postgres.Eventually;
import dev.rowlog.connector.postgres.TestCertificates;
import dev.rowlog.connector.replay.ReplayProcess;
import dev.rowlog.connector.replay.ServerProcess;
import dev.rowlog.connector.replay.ShopLogs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** Debian's Redis: {@code -Psystem}. */
@EnabledIfSystemProperty(named = "tests.system", matches = "true")
class RedisTargetIT {
  @TempDir
  static Path folder;

  private static ServerProcess server;

  @TempDir
  Path directory;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);
  private ShopLogs logs;
  private Jedis redis;

  @BeforeAll
  static void start() {
    server = ServerProcess.redis(folder);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void create() {
    logs = ShopLogs.create(directory);
    redis = new Jedis("127.0.0.1", server.port());
    redis.flushAll();
  }

  @AfterEach
  void close() {
    redis.close();
    logs.close();
  }

  private List<String> arguments(String... more) {
    List<String> arguments = new ArrayList<>(
        List.of("redis", "--url", "redis://127.0.0.1:" + server.port(), "--batch.rows", "500"));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private Map<String, String> strings(String head) {
    Map<String, String> found = new TreeMap<>();
    redis.keys(head + "*").forEach(key -> found.put(key.substring(head.length()), redis.get(key)));
    return found;
  }

  /** By the text that a key's values make. */
  private static Map<String, String> byKeyText(Map<String, String> rows) {
    Map<String, String> expected = new TreeMap<>();
    rows.forEach((key, row) -> expected.put(
        key.replaceAll("\\{\"id\":(\\d+)}", "$1").replaceAll("\\{\"item\":(\\d+),\"line\":\"(.*)\"}", "$1@$2")
            .replace(":", "%3A").replace("@", ":"),
        row));
    return expected;
  }

  private void assertEqualToTheTables(String head) {
    assertThat(strings(head + "shop.items:")).as("seed %d", seed).isEqualTo(byKeyText(logs.items()));
    assertThat(strings(head + "shop.lines:")).as("seed %d", seed).isEqualTo(byKeyText(logs.lines()));
  }

  @Test
  void shouldReplayOverTlsAsAUserOfItsOwn_andSayNoPasswordWhereThatIsRefused() throws Exception {
    // Given
    Path tls = Files.createDirectory(folder.resolve("tls"));
    TestCertificates authority = TestCertificates.create(tls.resolve("ca"));
    authority.issue("server", "localhost", tls);
    logs.transact(random, 10, 200);
    List<String> trust = List.of("-Djavax.net.ssl.trustStore=" + authority.trustStore(),
        "-Djavax.net.ssl.trustStorePassword=" + authority.trustStorePassword());
    try (ServerProcess secured = ServerProcess.redisOverTls(tls, authority.authority(), "mirror", "s3cr3t")) {
      String address = "@localhost:" + secured.port();

      // When
      try (ReplayProcess trusted = ReplayProcess.start(directory, trust,
          List.of("redis", "--url", "rediss://mirror:s3cr3t" + address));
          ReplayProcess wrong = ReplayProcess.start(directory, trust,
              List.of("redis", "--url", "rediss://mirror:s3cr3t-not" + address));
          ReplayProcess otherName = ReplayProcess.start(directory, trust,
              List.of("redis", "--url", "rediss://mirror:s3cr3t@127.0.0.1:" + secured.port(), "--follow"))) {
        // Then
        assertThat(trusted.awaitEnd()).as(trusted.output()).isZero();
        assertThat(wrong.awaitEnd()).as(wrong.output()).isEqualTo(3);
        assertThat(wrong.output()).contains("WRONGPASS").doesNotContain("s3cr3t", "\tat ");
        Eventually.holds("the name is refused\n" + otherName.output(), Duration.ofSeconds(60),
            () -> otherName.output().contains("127.0.0.1"));
        assertThat(otherName.output()).doesNotContain("s3cr3t", "is built from offset 0");
      }
    }
  }

  @Test
  void shouldEndEqualToTheTables_whenKilledAgainAndAgain() throws Exception {
    // When: beside, since the cleaner takes deletes meanwhile
    ReplayProcess.killAgainAndAgain(logs, directory, arguments("--key", "v{generation}:{schema}.{table}:{key}"),
        random);

    // Then
    Map<String, String> generations = redis.hgetAll("rowlog:redis:generations");
    assertThat(strings("v" + generations.get("shop.items") + ":shop.items:")).as("seed %d", seed)
        .isEqualTo(byKeyText(logs.items()));
    assertThat(strings("v" + generations.get("shop.lines") + ":shop.lines:")).as("seed %d", seed)
        .isEqualTo(byKeyText(logs.lines()));
    assertThat(redis.dbSize()).as("nothing of older generations, seed %d", seed)
        .isEqualTo(logs.items().size() + logs.lines().size() + 2);
  }

  @Test
  void shouldDeleteOnATombstone_andHoldTheRowsBytes() throws Exception {
    // Given
    logs.transact(random, 50, 20);
    ReplayProcess.runOnce(directory, arguments());
    assertEqualToTheTables("");
    logs.deleteAll();

    // When
    ReplayProcess.runOnce(directory, arguments());

    // Then
    assertEqualToTheTables("");
    assertThat(redis.dbSize()).isEqualTo(3);
  }

  @Test
  void shouldWriteHashes_aFieldAColumn() throws Exception {
    // Given
    logs.transact(random, 3, 1);
    logs.fill(1);

    // When
    ReplayProcess.runOnce(directory, arguments("--tables", "shop.items", "--key", "item:{id}", "--value", "hash"));

    // Then
    assertThat(redis.hgetAll("item:1000001"))
        .isEqualTo(Map.of("id", "1000001", "name", "row 1", "price", "1000001.50"));
  }

  @Test
  void shouldRefuse_whenItWouldKeepGhosts() throws Exception {
    // Given
    logs.transact(random, 30, 20);
    ReplayProcess.runOnce(directory, arguments());
    logs.deleteAll();
    logs.clean();

    // When
    try (ReplayProcess refused = ReplayProcess.start(directory, arguments())) {
      // Then
      assertThat(refused.awaitEnd()).isEqualTo(3);
      assertThat(refused.output())
          .contains("have been cleaned away, so that going on would keep rows that were deleted; delete its keys"
              + " (redis-cli --scan --pattern 'shop.items:*' | xargs redis-cli unlink; redis-cli del rowlog:redis:position), or put {generation}");
    }
  }

  @Test
  void shouldShowWholeTransactionsOnly() throws Exception {
    // Given
    logs.transact(random, 5, 20);
    ReplayProcess.runOnce(directory, arguments());
    List<String> arguments = arguments("--follow");

    // When
    Set<String> seen = new HashSet<>();
    try (ReplayProcess replay = ReplayProcess.start(directory, arguments)) {
      Eventually.holds("many states are seen", Duration.ofSeconds(60), () -> {
        logs.transact(random, 2, 20);
        List<String> both = redis.mget("shop.items:0", "shop.lines:0:t");
        // Then
        String items = both.get(0).replaceAll(".*transaction (\\d+).*", "$1");
        assertThat(both.get(1)).contains("\"n\": " + items + ",");
        seen.add(items);
        return seen.size() > 20;
      });
      assertThat(replay.output()).contains("goes on at offset");
    }
  }
}
