package dev.rowlog.engine.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.util.KafkaScheduler;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/** A partition folder that Kafka's own {@link UnifiedLog} has open. */
final class KafkaLog implements AutoCloseable {
  private final UnifiedLog log;
  private final KafkaScheduler scheduler;
  private final BrokerTopicStats stats;

  private KafkaLog(UnifiedLog log, KafkaScheduler scheduler, BrokerTopicStats stats) {
    this.log = log;
    this.scheduler = scheduler;
    this.stats = stats;
  }

  static KafkaLog open(Path folder) throws IOException {
    Properties properties = new Properties();
    // Kafka 4 refuses a small segment.bytes; its internal key has no such floor.
    properties.setProperty("internal.segment.bytes", "500");
    properties.setProperty("index.interval.bytes", "100");
    properties.setProperty("cleanup.policy", "compact");
    properties.setProperty("segment.ms", Long.toString(Long.MAX_VALUE));
    properties.setProperty("retention.ms", "-1");
    Files.createDirectories(folder);
    KafkaScheduler scheduler = new KafkaScheduler(1, true, "kafka-oracle-");
    scheduler.startup();
    BrokerTopicStats stats = new BrokerTopicStats(false);
    UnifiedLog log = UnifiedLog.create(
        folder.toAbsolutePath().toFile(), new LogConfig(properties), 0L, 0L, scheduler, stats, Time.SYSTEM, 900_000,
        new ProducerStateManagerConfig(86_400_000, false), 600_000, new LogDirFailureChannel(4), false,
        Optional.empty());
    return new KafkaLog(log, scheduler, stats);
  }

  UnifiedLog log() {
    return log;
  }

  /** One batch of one record whose timestamp is T0 and its offset in ms. */
  void append(String key, String value) throws IOException {
    append(MemoryRecords.withRecords(Compression.NONE, record(key, value)));
  }

  private SimpleRecord record(String key, String value) {
    return new SimpleRecord(LogFixture.T0 + log.logEndOffset(), key.getBytes(UTF_8), value.getBytes(UTF_8));
  }

  void appendTransactional(long producerId, int sequence, String key, String value) throws IOException {
    append(
        MemoryRecords.withTransactionalRecords(Compression.NONE, producerId, (short) 0, sequence, record(key, value)));
  }

  void endTransaction(long producerId, ControlRecordType type) throws IOException {
    append(
        MemoryRecords.withEndTransactionMarker(
            LogFixture.T0 + log.logEndOffset(), producerId, (short) 0, new EndTransactionMarker(type, 0)));
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

  /** As {@link LogFixture#read}. */
  List<String> records() throws IOException {
    List<String> records = new ArrayList<>();
    for (LogSegment segment : log.logSegments()) {
      for (RecordBatch batch : segment.log().batches()) {
        batch.ensureValid();
        for (Record record : batch) {
          records.add(record.offset() + ":" + UTF_8.decode(record.key()) + "=" + UTF_8.decode(record.value()));
        }
      }
    }
    return records;
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
