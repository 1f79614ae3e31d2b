package dev.rowlog.engine.cleaner;

import dev.rowlog.engine.log.LogConfig;
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
import org.apache.kafka.common.record.internal.MemoryRecords;
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

/** A log as Kafka itself keeps and cleans it: the oracle of the cleaner. */
final class KafkaLog implements AutoCloseable {
  private static final int MAX_MESSAGE_BYTES = 10_000_000;

  private final KafkaScheduler scheduler;
  private final BrokerTopicStats stats;
  private final UnifiedLog log;
  private long firstDirtyOffset;

  private KafkaLog(KafkaScheduler scheduler, BrokerTopicStats stats, UnifiedLog log) {
    this.scheduler = scheduler;
    this.stats = stats;
    this.log = log;
  }

  static KafkaLog open(Path directory, LogConfig config) throws IOException {
    Files.createDirectories(directory);
    KafkaScheduler scheduler = new KafkaScheduler(1, true, "kafka-oracle-");
    scheduler.startup();
    BrokerTopicStats stats = new BrokerTopicStats(false);
    UnifiedLog log = UnifiedLog.create(
        directory.toFile(),
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
        true,
        Optional.empty());
    return new KafkaLog(scheduler, stats, log);
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
    properties.setProperty("segment.index.bytes", "65536");
    properties.setProperty("file.delete.delay.ms", "3600000");
    return properties;
  }

  /** Appends a batch with the offsets that it has. */
  void append(ByteBuffer batch) {
    log.appendAsFollower(MemoryRecords.readableRecords(batch), 0);
  }

  void roll() throws IOException {
    log.roll(Optional.empty());
  }

  /** Everything below the active segment, in as many rounds as the map needs. */
  void clean(long nowMs, long mapBytes) throws Exception {
    log.updateHighWatermark(log.logEndOffset());
    long end = log.activeSegment().baseOffset();
    Cleaner cleaner = new Cleaner(
        0,
        new SkimpyOffsetMap((int) mapBytes, "MD5"),
        1 << 16,
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

  List<File> logFiles() {
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
