package dev.rowlog.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowlog.engine.commit.CommitLog;
import dev.rowlog.engine.commit.CommitRetention;
import dev.rowlog.engine.commit.CommittedEnds;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.Record;
import dev.rowlog.engine.record.RecordBatchEncoder;
import dev.rowlog.engine.replay.LatestByKey;
import dev.rowlog.engine.replay.LogCursor;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * A writer that mirrors a {@link Workload} into an engine: one commit a transaction, its number as the position.
 */
public final class Mirror implements AutoCloseable {
  public static final Path ROOT = Path.of("/data");
  private static final long START_MS = 1_767_225_600_000L;

  /** Small segments and no waiting, so that a short scenario rolls, cleans and deletes. */
  public static final LogConfig SMALL = LogConfig.defaults()
      .with(Map.of("segment.bytes", "300", "file.delete.delay.ms", "0", "index.interval.bytes", "100"));

  private final LogEngine engine;
  private final Workload workload;
  private final AtomicLong nowMs;

  private Mirror(LogEngine engine, Workload workload, AtomicLong nowMs) {
    this.engine = engine;
    this.workload = workload;
    this.nowMs = nowMs;
  }

  public static Mirror open(Disk disk, Path root, Workload workload, LogConfig config) {
    return open(disk, root, workload, config, true);
  }

  public static Mirror open(Disk disk, Path root, Workload workload, LogConfig config, boolean committed) {
    return open(disk, root, workload, config, config, committed);
  }

  /**
   * @param defaults what the commit log's configuration is made of
   */
  public static Mirror open(
      Disk disk, Path root, Workload workload, LogConfig config, LogConfig defaults, boolean committed) {
    return open(disk, root, workload, config, defaults, committed, CommitLog.RETENTION);
  }

  public static Mirror open(
      Disk disk, Path root, Workload workload, LogConfig config, LogConfig defaults, boolean committed,
      CommitRetention retention) {
    AtomicLong nowMs = new AtomicLong(START_MS);
    CleanerConfig cleaner = new CleanerConfig(true, 1 << 20, 64 << 10, 0.9, Double.MAX_VALUE, 1_000);
    LogEngine engine = EngineOpening.open(
        new EngineOptions(root, defaults, cleaner, committed), retention, log -> true, disk,
        () -> Instant.ofEpochMilli(nowMs.get()),
        () -> nowMs.get() * 1_000_000, Seeds.random(7));
    try {
      workload.logs().stream().filter(log -> !engine.failedLogs().containsKey(log))
          .forEach(log -> engine.createIfMissing(log, config));
      return new Mirror(engine, workload, nowMs);
    } catch (RuntimeException e) {
      try {
        engine.close();
      } catch (RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  public LogEngine engine() {
    return engine;
  }

  public void advance(long ms) {
    nowMs.addAndGet(ms);
  }

  /** Number of the last committed transaction. */
  public long committed() {
    return number(engine.committed());
  }

  public static long number(CommittedEnds committed) {
    return committed.position().map(position -> Long.parseLong(new String(position, UTF_8))).orElse(0L);
  }

  /** Appends and commits the next transaction; returns its number. */
  public long commitNext() {
    long number = committed() + 1;
    engine.commit(append(number), Long.toString(number).getBytes(UTF_8));
    return number;
  }

  /** Appends a transaction without a commit; returns the ends that would be committed. */
  public Map<TopicPartition, Long> append(long number) {
    Map<TopicPartition, List<Workload.Write>> byLog = new LinkedHashMap<>();
    workload.transaction(number)
        .forEach(write -> byLog.computeIfAbsent(write.log(), log -> new java.util.ArrayList<>()).add(write));
    Map<TopicPartition, Long> ends = new HashMap<>();
    byLog.forEach((name, writes) -> {
      PartitionLog log = engine.log(name).orElseThrow();
      RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);
      encoder.begin();
      for (Workload.Write write : writes) {
        encoder.add(nowMs.get(), write.key().getBytes(UTF_8),
            write.value() == null ? null : write.value().getBytes(UTF_8),
            List.of());
      }
      ends.put(name, log.append(encoder).nextOffset());
    });
    return ends;
  }

  /** Appends one record that no transaction of the workload writes, without a commit; returns the log's end. */
  public long appendUncommitted(TopicPartition name) {
    RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);
    encoder.begin();
    encoder.add(nowMs.get(), "key0".getBytes(UTF_8), "never committed".getBytes(UTF_8), List.of());
    return engine.log(name).orElseThrow().append(encoder).nextOffset();
  }

  /** The tables as a reader of the open engine sees them. */
  public Map<TopicPartition, Map<String, String>> tables() {
    return tables(workload, log -> engine.cursor(log, 0));
  }

  public static Map<TopicPartition, Map<String, String>> tables(
      Workload workload, Function<TopicPartition, LogCursor> cursors) {
    Map<TopicPartition, Map<String, String>> tables = new TreeMap<>();
    for (TopicPartition log : workload.logs()) {
      try (LogCursor cursor = cursors.apply(log)) {
        tables.put(log, table(cursor));
      }
    }
    return tables;
  }

  public static Map<String, String> table(LogCursor cursor) {
    Map<String, String> table = new TreeMap<>();
    for (Record row : LatestByKey.of(cursor)) {
      table.put(new String(row.key(), UTF_8), new String(row.value(), UTF_8));
    }
    return table;
  }

  @Override
  public void close() {
    engine.close();
  }
}
