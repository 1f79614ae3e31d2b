package dev.rowlog.connector.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.SourcePosition;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.sink.StoppedTables;
import dev.rowlog.connector.table.SchemaLog;
import dev.rowlog.engine.EngineOptions;
import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.RecordBatchEncoder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A data directory as a mirror of two tables writes it, with a model of what the tables hold: {@code shop.items (id, name, price)} and
 * {@code shop.lines (item, line, note)}, whose rows always agree at a commit: each transaction writes its number into row 0 of both.
 */
public final class ShopLogs implements AutoCloseable {
  public static final TableId ITEMS = new TableId("shop", "items");
  public static final TableId LINES = new TableId("shop", "lines");
  public static final String ITEMS_TOPIC = "t.shop.items";
  public static final String LINES_TOPIC = "t.shop.lines";

  private static final String ITEMS_SCHEMA = """
      {"schema":"shop","table":"items","version":1,"topic":"t.shop.items","oid":1,"replica_identity":"d","key":["id"],
       "columns":[{"name":"id","type":"bigint","not_null":true,"generated":""},
                  {"name":"name","type":"text","not_null":false,"generated":""},
                  {"name":"price","type":"numeric(10,2)","not_null":false,"generated":""}]}""";
  private static final String LINES_SCHEMA = """
      {"schema":"shop","table":"lines","version":1,"topic":"t.shop.lines","oid":2,"replica_identity":"d","key":["item","line"],
       "columns":[{"name":"item","type":"bigint","not_null":true,"generated":""},
                  {"name":"line","type":"text","not_null":true,"generated":""},
                  {"name":"note","type":"json","not_null":false,"generated":""}]}""";

  private final AtomicLong nowMs = new AtomicLong(1_767_225_600_000L);
  private final LogEngine engine;
  private final Map<String, String> items = new TreeMap<>();
  private final Map<String, String> lines = new TreeMap<>();
  private long transactions;

  private ShopLogs(LogEngine engine) {
    this.engine = engine;
  }

  public static ShopLogs create(Path directory) {
    return create(directory, LogConfig.defaults().with("segment.bytes", "20000").with("file.delete.delay.ms", "0")
        .with("delete.retention.ms", "0"));
  }

  public static ShopLogs create(Path directory, LogConfig tables) {
    ShopLogs[] holder = new ShopLogs[1];
    AtomicLong clock = new AtomicLong(1_767_225_600_000L);
    LogEngine engine = LogEngine.open(
        new EngineOptions(directory, LogConfig.defaults(), CleanerConfig.defaults().with("log.cleaner.enable", "false")
            .with("log.cleaner.dedupe.buffer.size", "4194304"), true),
        UnsyncedDisk.create(), () -> Instant.ofEpochMilli(holder[0] == null ? clock.get() : holder[0].nowMs.get()),
        System::nanoTime, new Random(1));
    ShopLogs logs = new ShopLogs(engine);
    holder[0] = logs;
    engine.createIfMissing(SchemaLog.LOG, LogConfig.defaults());
    engine.createIfMissing(TopicPartition.of(StoppedTables.TOPIC), LogConfig.defaults());
    engine.createIfMissing(TopicPartition.of(ITEMS_TOPIC), tables);
    engine.createIfMissing(TopicPartition.of(LINES_TOPIC), tables);
    Writes schemas = logs.new Writes();
    schemas.put(SchemaLog.TOPIC, "{\"schema\":\"shop\",\"table\":\"items\",\"version\":1}",
        ITEMS_SCHEMA.replaceAll("\\s*\\R\\s*", ""));
    schemas.put(SchemaLog.TOPIC, "{\"schema\":\"shop\",\"table\":\"lines\",\"version\":1}",
        LINES_SCHEMA.replaceAll("\\s*\\R\\s*", ""));
    schemas.commit();
    return logs;
  }

  /** What a transaction writes, in order. */
  private final class Writes {
    private final Map<String, RecordBatchEncoder> batches = new HashMap<>();

    void put(String topic, String key, String value) {
      RecordBatchEncoder batch = batches.computeIfAbsent(topic, name -> {
        RecordBatchEncoder fresh = new RecordBatchEncoder(Compression.NONE);
        fresh.begin();
        return fresh;
      });
      batch.add(nowMs.get(), key.getBytes(UTF_8), value == null ? null : value.getBytes(UTF_8), List.of());
      Map<String, String> model = topic.equals(ITEMS_TOPIC)
          ? items
          : topic.equals(LINES_TOPIC) ? lines : new TreeMap<>();
      if (value == null) {
        model.remove(key);
      } else {
        model.put(key, value);
      }
    }

    void commit() {
      Map<TopicPartition, Long> ends = new HashMap<>();
      batches.forEach((topic, batch) -> {
        PartitionLog log = engine.log(TopicPartition.of(topic)).orElseThrow();
        ends.put(log.topicPartition(), log.append(batch).nextOffset());
      });
      engine.commit(ends,
          new SourcePosition("1", 1, "shop", "rowlog", SourcePosition.Phase.STREAMING, new Lsn(100 + transactions), 1)
              .toBytes());
    }
  }

  /** Commits that many random transactions over so many keys. */
  public void transact(Random random, int count, int keys) {
    for (int i = 0; i < count; i++) {
      transactions++;
      Writes writes = new Writes();
      writes.put(ITEMS_TOPIC, itemKey(0), item(0, "transaction " + transactions));
      writes.put(LINES_TOPIC, lineKey(0, "t"), line(0, "t", transactions));
      for (int n = random.nextInt(6); n >= 0; n--) {
        int id = 1 + random.nextInt(keys);
        boolean isDelete = random.nextInt(4) == 0;
        if (random.nextBoolean()) {
          writes.put(ITEMS_TOPIC, itemKey(id), isDelete ? null : item(id, "n\\u00e4me \\\"" + random.nextInt(1_000)));
        } else {
          String name = "a:" + random.nextInt(3);
          writes.put(LINES_TOPIC, lineKey(id, name), isDelete ? null : line(id, name, random.nextInt()));
        }
      }
      writes.commit();
    }
  }

  /** One transaction with so many rows. */
  public void fill(int rows) {
    fill(0, rows);
  }

  /** The same from a number on. */
  public void fill(int from, int rows) {
    transactions++;
    Writes writes = new Writes();
    writes.put(ITEMS_TOPIC, itemKey(0), item(0, "transaction " + transactions));
    writes.put(LINES_TOPIC, lineKey(0, "t"), line(0, "t", transactions));
    for (int i = from + 1; i <= from + rows; i++) {
      writes.put(ITEMS_TOPIC, itemKey(1_000_000L + i), item(1_000_000L + i, "row " + i));
    }
    writes.commit();
  }

  /** Deletes every row but those of number 0, in one transaction. */
  public void deleteAll() {
    transactions++;
    Writes writes = new Writes();
    List.copyOf(items.keySet()).forEach(
        key -> writes.put(ITEMS_TOPIC, key, key.equals(itemKey(0)) ? item(0, "transaction " + transactions) : null));
    List.copyOf(lines.keySet())
        .forEach(key -> writes.put(LINES_TOPIC, key, key.equals(lineKey(0, "t")) ? line(0, "t", transactions) : null));
    writes.commit();
  }

  /** Says that the table misses changes. */
  public void stop(TableId table, String reason) {
    Writes writes = new Writes();
    writes.put(StoppedTables.TOPIC, "{\"schema\":\"" + table.schema() + "\",\"table\":\"" + table.table() + "\"}",
        "{\"state\":\"stopped\",\"reason\":\"" + reason + "\"}");
    writes.commit();
  }

  /** Says that the table is being read, or that it has been. */
  public void snapshotting(TableId table, boolean isOver) {
    Writes writes = new Writes();
    writes.put(StoppedTables.TOPIC, "{\"schema\":\"" + table.schema() + "\",\"table\":\"" + table.table() + "\"}",
        isOver ? null : "{\"state\":\"snapshotting\"}");
    writes.commit();
  }

  /** Closes the active segments and cleans, so long that tombstones go. */
  public void clean() {
    for (int pass = 0; pass < 3; pass++) {
      for (String topic : List.of(ITEMS_TOPIC, LINES_TOPIC)) {
        PartitionLog log = engine.log(TopicPartition.of(topic)).orElseThrow();
        log.roll();
        nowMs.addAndGet(1_000);
        engine.cleaner().clean(log);
      }
      // A segment stays active: something must come behind what was cleaned.
      transactions++;
      Writes writes = new Writes();
      writes.put(ITEMS_TOPIC, itemKey(0), item(0, "transaction " + transactions));
      writes.put(LINES_TOPIC, lineKey(0, "t"), line(0, "t", transactions));
      writes.commit();
    }
  }

  /** Rows by key, as of the last commit. */
  public Map<String, String> items() {
    return items;
  }

  public Map<String, String> lines() {
    return lines;
  }

  public LogEngine engine() {
    return engine;
  }

  public static String itemKey(long id) {
    return "{\"id\":" + id + "}";
  }

  public static String lineKey(long item, String line) {
    return "{\"item\":" + item + ",\"line\":\"" + line + "\"}";
  }

  private static String item(long id, String name) {
    return "{\"id\":" + id + ",\"name\":\"" + name + "\",\"price\":" + id + ".50}";
  }

  private static String line(long item, String line, long note) {
    return "{\"item\":" + item + ",\"line\":\"" + line + "\",\"note\":{\"n\": " + note + ", \"s\":\"\\u00e9\"}}";
  }

  @Override
  public void close() {
    engine.close();
  }
}
