package dev.rowlog.engine.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowlog.engine.ManualClock;
import dev.rowlog.engine.Seeds;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.log.directory.LogDirectory;
import dev.rowlog.engine.log.opening.OpeningBound;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.Record;
import dev.rowlog.engine.record.RecordBatchDecoder;
import dev.rowlog.engine.record.RecordBatchEncoder;
import dev.rowlog.engine.segment.BatchScanner;
import dev.rowlog.engine.segment.Segment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the tests of this package share: short ways to write records into a log and to read them back. */
public final class LogFixture {
  public static final TopicPartition ORDERS = TopicPartition.of("orders");
  public static final long T0 = 1_700_000_000_000L;
  public static final OpeningBound LOG_END = new OpeningBound.LogEnd();

  private LogFixture() {}

  /** Configuration with small segments; more keys as pairs. */
  public static LogConfig config(String... pairs) {
    LogConfig config = LogConfig.defaults().with(Map.of("segment.bytes", "500", "index.interval.bytes", "100"));
    for (int i = 0; i < pairs.length; i += 2) {
      config = config.with(pairs[i], pairs[i + 1]);
    }
    return config;
  }

  public static LogDirectory open(Disk disk, Path root) {
    return open(disk, root, new ManualClock(T0));
  }

  public static LogDirectory open(Disk disk, Path root, ManualClock clock) {
    return LogDirectory.open(disk, root, clock, Seeds.random(7));
  }

  public static PartitionLog create(LogDirectory directory, LogConfig config) {
    return directory.create(ORDERS, config, HighWatermark.followingLogEnd());
  }

  public static PartitionLog load(LogDirectory directory, LogConfig config) {
    return directory.load(ORDERS, config, LOG_END, HighWatermark.followingLogEnd());
  }

  public static PartitionLog load(LogDirectory directory, LogConfig config, long committedEnd) {
    return directory.load(ORDERS, config, new OpeningBound.Committed(committedEnd), logEnd -> committedEnd);
  }

  /** One batch of one record whose timestamp is T0 and its offset in ms. */
  public static AppendResult append(PartitionLog log, String key, String value) {
    return append(log, T0 + log.logEndOffset(), key, value);
  }

  public static AppendResult append(PartitionLog log, long timestamp, String key, String value) {
    RecordBatchEncoder batch = new RecordBatchEncoder(Compression.NONE);
    batch.add(timestamp, bytes(key), bytes(value), List.of());
    return log.append(batch);
  }

  /** Records key0=value0, key1=value1 ... from the log end on. */
  public static void appendMany(PartitionLog log, int count) {
    for (int i = 0; i < count; i++) {
      long offset = log.logEndOffset();
      append(log, "key" + offset, "value" + offset);
    }
  }

  public static byte[] bytes(String text) {
    return text == null ? null : text.getBytes(UTF_8);
  }

  /** Every record below the log end as {@code offset:key=value}, each batch checked. */
  public static List<String> read(PartitionLog log) {
    List<String> records = new ArrayList<>();
    for (Segment segment : log.segments().all()) {
      records.addAll(read(segment));
    }
    return records;
  }

  public static List<String> read(Segment segment) {
    List<String> records = new ArrayList<>();
    if (!segment.retain()) {
      throw new AssertionError("released: " + segment);
    }
    try {
      BatchScanner scanner = new BatchScanner(segment.logFile(), 0, segment.sizeBytes(), 4096);
      RecordBatchDecoder decoder = new RecordBatchDecoder();
      while (scanner.next()) {
        scanner.batch().ensureValid(segment.logPath(), scanner.position());
        decoder.open(scanner.batch());
        while (decoder.next()) {
          records.add(text(decoder.record()));
        }
      }
    } finally {
      segment.release();
    }
    return records;
  }

  private static String text(Record record) {
    String value = record.isTombstone() ? "∅" : new String(record.value(), UTF_8);
    return record.offset() + ":" + new String(record.key(), UTF_8) + "=" + value;
  }

  /** As {@link #read} gives what {@link #appendMany} wrote. */
  public static List<String> expected(long from, long end) {
    List<String> records = new ArrayList<>();
    for (long offset = from; offset < end; offset++) {
      records.add(offset + ":key" + offset + "=value" + offset);
    }
    return records;
  }
}
