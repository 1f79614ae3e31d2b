package dev.rowlog.engine.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowlog.engine.ManualClock;
import dev.rowlog.engine.Seeds;
import dev.rowlog.engine.disk.Disk;
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
final class LogFixture {
  static final TopicPartition ORDERS = TopicPartition.of("orders");
  static final long T0 = 1_700_000_000_000L;
  static final OpeningBound LOG_END = new OpeningBound.LogEnd();

  private LogFixture() {}

  /** Configuration with small segments; more keys as pairs. */
  static LogConfig config(String... pairs) {
    LogConfig config = LogConfig.defaults().with(Map.of("segment.bytes", "500", "index.interval.bytes", "100"));
    for (int i = 0; i < pairs.length; i += 2) {
      config = config.with(pairs[i], pairs[i + 1]);
    }
    return config;
  }

  static LogDirectory open(Disk disk, Path root) {
    return open(disk, root, new ManualClock(T0));
  }

  static LogDirectory open(Disk disk, Path root, ManualClock clock) {
    return LogDirectory.open(disk, root, clock, Seeds.random(7));
  }

  static PartitionLog create(LogDirectory directory, LogConfig config) {
    return directory.create(ORDERS, config, HighWatermark.followingLogEnd());
  }

  static PartitionLog load(LogDirectory directory, LogConfig config) {
    return directory.load(ORDERS, config, LOG_END, HighWatermark.followingLogEnd());
  }

  static PartitionLog load(LogDirectory directory, LogConfig config, long committedEnd) {
    return directory.load(ORDERS, config, new OpeningBound.Committed(committedEnd), logEnd -> committedEnd);
  }

  /** One batch of one record whose timestamp is T0 and its offset in ms. */
  static AppendResult append(PartitionLog log, String key, String value) {
    return append(log, T0 + log.logEndOffset(), key, value);
  }

  static AppendResult append(PartitionLog log, long timestamp, String key, String value) {
    RecordBatchEncoder batch = new RecordBatchEncoder(Compression.NONE);
    batch.add(timestamp, bytes(key), bytes(value), List.of());
    return log.append(batch);
  }

  /** Records key0=value0, key1=value1 ... from the log end on. */
  static void appendMany(PartitionLog log, int count) {
    for (int i = 0; i < count; i++) {
      long offset = log.logEndOffset();
      append(log, "key" + offset, "value" + offset);
    }
  }

  static byte[] bytes(String text) {
    return text == null ? null : text.getBytes(UTF_8);
  }

  /** Every record below the log end as {@code offset:key=value}, each batch checked. */
  static List<String> read(PartitionLog log) {
    List<String> records = new ArrayList<>();
    for (Segment segment : log.segments().all()) {
      records.addAll(read(segment));
    }
    return records;
  }

  static List<String> read(Segment segment) {
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
  static List<String> expected(long from, long end) {
    List<String> records = new ArrayList<>();
    for (long offset = from; offset < end; offset++) {
      records.add(offset + ":key" + offset + "=value" + offset);
    }
    return records;
  }
}
