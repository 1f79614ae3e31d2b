package dev.rowlog.engine.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowlog.engine.log.config.LogConfig;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.util.KafkaScheduler;
import org.apache.kafka.storage.internals.log.Cleaner;
import org.apache.kafka.storage.internals.log.CleanerStats;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogToClean;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.SkimpyOffsetMap;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.utils.Throttler;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/** A log as Kafka itself keeps and cleans it: the oracle of our files and of our cleaner. */
public final class KafkaLog implements AutoCloseable {
  private static final int MAX_MESSAGE_BYTES = 10_000_000;

  private final KafkaScheduler scheduler;
  private final BrokerTopicStats stats;
  private final UnifiedLog log;
  private final long startMs;
  private long firstDirtyOffset;

  private KafkaLog(KafkaScheduler scheduler, BrokerTopicStats stats, UnifiedLog log, long startMs) {
    this.scheduler = scheduler;
    this.stats = stats;
    this.log = log;
    this.startMs = startMs;
  }

  /**
   * As after a clean stop.
   *
   * @param startMs what timestamps count from where records have none of their own
   */
  public static KafkaLog open(Path folder, LogConfig config, long startMs) throws IOException {
    return open(folder, config, startMs, true);
  }

  /** As after a kill: Kafka scans what is there. */
  public static KafkaLog recover(Path folder, LogConfig config, long startMs) throws IOException {
    return open(folder, config, startMs, false);
  }

  private static KafkaLog open(Path folder, LogConfig config, long startMs, boolean clean) throws IOException {
    Files.createDirectories(folder);
    KafkaScheduler scheduler = new KafkaScheduler(1, true, "kafka-oracle-");
    scheduler.startup();
    BrokerTopicStats stats = new BrokerTopicStats(false);
    UnifiedLog log = UnifiedLog.create(
        folder.toAbsolutePath().toFile(),
        new org.apache.kafka.storage.internals.log.LogConfig(properties(config)),
        0L,
        0L,
        scheduler,
        stats,
        Time.SYSTEM,
        900_000,
        new ProducerStateManagerConfig(86_400_000, false),
        600_000,
        new LogDirFailureChannel(4),
        clean,
        Optional.empty());
    return new KafkaLog(scheduler, stats, log, startMs);
  }

  private static Properties properties(LogConfig config) {
    Properties properties = new Properties();
    // Kafka 4 refuses less than a mebibyte; its internal key has no such floor.
    properties.setProperty("internal.segment.bytes", Integer.toString(config.segmentBytes()));
    properties.setProperty("cleanup.policy", "compact");
    properties.setProperty("segment.ms", Long.toString(Long.MAX_VALUE));
    properties.setProperty("retention.ms", "-1");
    properties.setProperty("delete.retention.ms", Long.toString(config.deleteRetentionMs()));
    properties.setProperty("max.message.bytes", Integer.toString(MAX_MESSAGE_BYTES));
    properties.setProperty("index.interval.bytes", Integer.toString(config.indexIntervalBytes()));
    properties.setProperty("segment.index.bytes", Integer.toString(config.segmentIndexBytes()));
    properties.setProperty("file.delete.delay.ms", "3600000");
    return properties;
  }

  public UnifiedLog log() {
    return log;
  }

  /** Appends a batch with the offsets that it has. */
  public void append(ByteBuffer batch) {
    log.appendAsFollower(MemoryRecords.readableRecords(batch), 0);
  }

  /** One batch of one record whose timestamp is the start and its offset in ms. */
  public void append(String key, String value) throws IOException {
    append(MemoryRecords.withRecords(Compression.NONE, record(key, value)));
  }

  private SimpleRecord record(String key, String value) {
    return new SimpleRecord(startMs + log.logEndOffset(), key.getBytes(UTF_8), value.getBytes(UTF_8));
  }

  public void appendTransactional(long producerId, int sequence, String key, String value) throws IOException {
    append(
        MemoryRecords.withTransactionalRecords(Compression.NONE, producerId, (short) 0, sequence, record(key, value)));
  }

  public void endTransaction(long producerId, ControlRecordType type) throws IOException {
    append(
        MemoryRecords.withEndTransactionMarker(
            startMs + log.logEndOffset(), producerId, (short) 0, new EndTransactionMarker(type, 0)));
  }

  private void append(MemoryRecords records) throws IOException {
    // As a follower: offsets and leader epoch are ours, and nothing is checked against a transaction coordinator.
    for (MutableRecordBatch batch : records.batches()) {
      batch.setLastOffset(log.logEndOffset());
      batch.setPartitionLeaderEpoch(0);
    }
    log.appendAsFollower(records, 0);
    log.updateHighWatermark(log.logEndOffset());
  }

  public void roll() throws IOException {
    log.roll(Optional.empty());
  }

  /**
   * Everything below the active segment, in as many rounds as the map needs.
   *
   * @param mapBytes {@code log.cleaner.dedupe.buffer.size}
   * @param ioBufferBytes of each of its two buffers
   */
  public void clean(long nowMs, int mapBytes, int ioBufferBytes) throws Exception {
    log.updateHighWatermark(log.logEndOffset());
    long end = log.activeSegment().baseOffset();
    Cleaner cleaner = new Cleaner(
        0,
        new SkimpyOffsetMap(mapBytes, "MD5"),
        ioBufferBytes,
        MAX_MESSAGE_BYTES,
        0.9,
        new Throttler(Double.MAX_VALUE, 300, "cleaner-io", "bytes", Time.SYSTEM),
        Time.SYSTEM,
        partition -> {});
    while (firstDirtyOffset < end) {
      Map.Entry<Long, CleanerStats> round = cleaner.doClean(new LogToClean(log, firstDirtyOffset, end, false), nowMs);
      if (round.getKey() <= firstDirtyOffset) {
        throw new AssertionError("Kafka does not get beyond offset " + firstDirtyOffset);
      }
      firstDirtyOffset = round.getKey();
    }
  }

  public List<File> logFiles() {
    List<File> files = new ArrayList<>();
    log.logSegments().forEach(segment -> files.add(segment.log().file()));
    return files;
  }

  @Override
  public void close() {
    log.close();
    try {
      scheduler.shutdown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    stats.close();
  }
}
