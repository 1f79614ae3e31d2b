package dev.rowlog.engine.inspect.stats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.EngineOptions;
import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.Seeds;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.RecordBatchEncoder;
import dev.rowlog.engine.replay.DirectoryReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogStatsTest {
  private static final TopicPartition LOG = TopicPartition.of("people");
  private static final long NOW = 1_000_000;

  @TempDir
  Path directory;

  private final Disk disk = new NioDisk();
  private final AtomicLong nowMs = new AtomicLong(NOW);
  private final LogConfig config = LogConfig.defaults();

  private LogEngine open() {
    LogEngine engine = LogEngine.open(
        new EngineOptions(directory, config, CleanerConfig.defaults(), true), disk,
        () -> Instant.ofEpochMilli(nowMs.get()),
        nowMs::get, Seeds.random(1));
    engine.createIfMissing(LOG, config);
    return engine;
  }

  private void append(LogEngine engine, long timestamp, String key, String value) {
    RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);
    encoder.begin();
    encoder.add(timestamp, key.getBytes(UTF_8), value == null ? null : value.getBytes(UTF_8), List.of());
    log(engine).append(encoder);
  }

  private PartitionLog log(LogEngine engine) {
    return engine.log(LOG).orElseThrow();
  }

  private LogStats stats(LogConfig as, int maxKeys) {
    try (DirectoryReader reader = DirectoryReader.open(disk, directory)) {
      return LogStats.of(reader, LOG, as, NOW, maxKeys);
    }
  }

  /** Four segments: [ann bob ann] [ann -bob] [cal] [cal, and one uncommitted]. */
  private void write(LogEngine engine) {
    append(engine, NOW - 900, "ann", "1");
    append(engine, NOW - 800, "bob", "1");
    append(engine, NOW - 700, "ann", "2");
    log(engine).roll();
    append(engine, NOW - 600, "ann", "3");
    append(engine, NOW - 500, "bob", null);
    log(engine).roll();
    append(engine, NOW - 50, "cal", "1");
    log(engine).roll();
    append(engine, NOW - 10, "cal", "2");
    engine.commit(Map.of(LOG, 7L), new byte[0]);
    append(engine, NOW, "dee", "1");
  }

  @Test
  void shouldCountRecordsTombstonesAndWhatIsDead() {
    // Given
    try (LogEngine engine = open()) {
      write(engine);
    }

    // When
    LogStats stats = stats(config, LogStats.DEFAULT_MAX_KEYS);

    // Then
    assertThat(stats.highWatermark()).isEqualTo(7);
    assertThat(stats.segments()).extracting(SegmentStats::baseOffset).containsExactly(0L, 3L, 5L, 6L);
    assertThat(stats.segments()).extracting(SegmentStats::records).containsExactly(3L, 2L, 1L, 1L);
    assertThat(stats.segments()).extracting(SegmentStats::tombstones).containsExactly(0L, 1L, 0L, 0L);
    assertThat(stats.segments()).extracting(segment -> segment.dead().getAsLong()).containsExactly(3L, 0L, 1L, 0L);
    assertThat(stats.segments()).extracting(SegmentStats::firstTimestamp)
        .containsExactly(NOW - 900, NOW - 600, NOW - 50, NOW - 10);
    assertThat(stats.segments()).extracting(SegmentStats::lastTimestamp)
        .containsExactly(NOW - 700, NOW - 500, NOW - 50, NOW - 10);
  }

  @Test
  void shouldSayWhyEachSegmentIsNotCleaned() {
    // Given
    try (LogEngine engine = open()) {
      write(engine);
    }

    // When
    LogStats stats = stats(config.with("min.compaction.lag.ms", "100"), LogStats.DEFAULT_MAX_KEYS);

    // Then
    assertThat(stats.segments()).extracting(SegmentStats::state)
        .containsExactly(SegmentState.DIRTY, SegmentState.DIRTY, SegmentState.DIRTY, SegmentState.ACTIVE);
    assertThat(stats.segments()).extracting(SegmentStats::whyNotCleaned).containsExactly(
        "The cleaner has not come round yet.", "The cleaner has not come round yet.",
        "Its newest record is younger than min.compaction.lag.ms (100): 50 ms to go.",
        "It is the active segment: it takes appends until it rolls.");
    assertThat(stats.dirtyRatio()).isEqualTo(1.0);
  }

  @Test
  void shouldSayThatTheRatioIsTooLow_afterACleaning() {
    // Given
    try (LogEngine engine = open()) {
      write(engine);
      engine.cleaner().clean(log(engine));
      append(engine, NOW, "eve", "1");
      log(engine).roll();
      append(engine, NOW, "eve", "2");
      engine.commit(Map.of(LOG, log(engine).logEndOffset()), new byte[0]);
    }

    // When
    LogStats stats = stats(config.with("min.cleanable.dirty.ratio", "0.9"), LogStats.DEFAULT_MAX_KEYS);

    // Then
    assertThat(stats.segments().get(0).state()).isEqualTo(SegmentState.CLEAN);
    assertThat(stats.segments().get(0).whyNotCleaned()).isEmpty();
    SegmentStats dirty = stats.segments().get(stats.segments().size() - 2);
    assertThat(dirty.state()).isEqualTo(SegmentState.DIRTY);
    assertThat(dirty.whyNotCleaned()).startsWith("The dirty ratio 0.")
        .endsWith("is below min.cleanable.dirty.ratio 0.90.");
  }

  @Test
  void shouldLeaveLiveUnknown_whenThereAreMoreKeysThanItMayHold() {
    // Given
    try (LogEngine engine = open()) {
      write(engine);
    }

    // When
    LogStats stats = stats(config, 2);

    // Then
    assertThat(stats.segments()).extracting(SegmentStats::live).containsOnly(OptionalLong.empty());
    assertThat(stats.segments()).extracting(SegmentStats::records).containsExactly(3L, 2L, 1L, 1L);
  }
}
