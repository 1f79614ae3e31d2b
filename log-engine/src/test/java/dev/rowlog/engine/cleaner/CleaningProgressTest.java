package dev.rowlog.engine.cleaner;

import static dev.rowlog.engine.cleaner.CleanerFixture.CONFIG;
import static dev.rowlog.engine.cleaner.CleanerFixture.LOG;
import static dev.rowlog.engine.cleaner.CleanerFixture.contents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.log.HighWatermark;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.log.directory.OffsetCheckpoint;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.Record;
import dev.rowlog.engine.record.RecordBatchEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How far rounds come, and that none is made in vain. */
class CleaningProgressTest {
  private static final LogConfig EAGER = CONFIG.with("min.cleanable.dirty.ratio", "0");

  @TempDir
  private Path root;

  private CleanerFixture fixture;

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void shouldAdvanceEachRoundWhenASegmentHasMoreKeysThanTheMapTakes() {
    // Given one batch of a hundred keys, twice each, and a map of ten
    open(CleanerFixture.mapOf(10));
    PartitionLog log = fixture.create(EAGER);
    List<String> records = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      records.add("k" + i % 100 + "=" + i);
    }
    fixture.writeBatch(log, Compression.ZSTD, records.toArray(String[]::new));
    log.roll();

    // When
    List<Long> checkpoints = new ArrayList<>();
    for (Optional<CleaningReport> report = fixture.cleaner().runOnce(); report
        .isPresent(); report = fixture.cleaner().runOnce()) {
      checkpoints.add(report.get().endOffset());
    }

    // Then
    assertThat(checkpoints).startsWith(10L, 20L, 30L).endsWith(200L).isSorted();
    assertThat(CleanerFixture.records(log)).extracting(Record::offset).hasSize(100).allMatch(offset -> offset >= 100);
  }

  @Test
  void shouldMakeAsManyRoundsAsTheMapNeedsWhenForced() {
    // Given
    open(CleanerFixture.mapOf(10));
    PartitionLog log = fixture.create(EAGER);
    for (int i = 0; i < 200; i++) {
      fixture.write(log, "k" + i % 50 + "=" + i);
    }
    log.roll();
    fixture.write(log, "k0=new", "k1=new");

    // When
    CleaningReport report = fixture.cleaner().clean(log);

    // Then
    assertThat(report.firstDirtyOffset()).isZero();
    assertThat(report.endOffset()).isEqualTo(200);
    assertThat(report.recordsIn()).isEqualTo(200);
    assertThat(report.recordsOut()).isEqualTo(50);
    assertThat(report.recordsLeftOut()).isEqualTo(2);
    assertThat(report.mapUse()).isEqualTo(1.0);
    assertThat(CleanerFixture.records(log)).extracting(Record::offset).hasSize(52).allMatch(offset -> offset >= 150);
  }

  @Test
  void shouldGoOnWithKnownKeysWhenTheMapIsFull() {
    // Given a map of three keys, full after three records
    open(CleanerFixture.mapOf(3));
    PartitionLog log = fixture.create(EAGER);
    fixture.write(log, "a=0", "b=0", "c=0");
    for (int i = 0; i < 1_000; i++) {
      fixture.write(log, "a=" + i);
    }
    log.roll();

    // When
    CleaningReport report = fixture.cleaner().runOnce().orElseThrow();

    // Then
    assertThat(report.endOffset()).isEqualTo(1_003);
    assertThat(contents(log)).isEqualTo("b=0@1 c=0@2 a=999@1002 | ");
  }

  @Test
  void shouldFinishOnceWhenOffsetsHaveGaps() {
    // Given offsets 0 to 2 and 100, and a checkpoint in the gap
    open(CleanerConfig.defaults());
    PartitionLog log = fixture.create(EAGER);
    fixture.write(log, "a=1", "b=1", "c=1");
    log.roll();
    fixture.cleaner().clean(log);
    RecordBatchEncoder gap = new RecordBatchEncoder(Compression.NONE);
    gap.begin();
    gap.addAtDelta(97, fixture.clock.millis(), "a".getBytes(StandardCharsets.UTF_8), new byte[]{'2'}, List.of());
    log.append(gap);
    log.roll();

    // When
    Optional<CleaningReport> first = fixture.cleaner().runOnce();
    Optional<CleaningReport> second = fixture.cleaner().runOnce();

    // Then
    assertThat(first).map(CleaningReport::endOffset).contains(101L);
    assertThat(second).isEmpty();
    assertThat(CleanerFixture.records(log)).extracting(CleanerFixture::print).containsExactly("b=1@1", "c=1@2",
        "a=2@100");
  }

  @Test
  void shouldSelectNothingWhenTheCheckpointLiesInTheActiveSegment() {
    // Given
    open(CleanerConfig.defaults());
    PartitionLog log = fixture.create(EAGER);
    fixture.write(log, "a=1", "a=2");
    log.roll();
    fixture.write(log, "a=3", "a=4");
    writeCheckpoint(3);

    // When
    Optional<CleaningReport> report = fixture.cleaner().runOnce();
    CleaningReport forced = fixture.cleaner().clean(log);

    // Then
    assertThat(report).isEmpty();
    assertThat(forced.endOffset()).isEqualTo(3);
    assertThat(contents(log)).endsWith("a=3@2 a=4@3");
  }

  @Test
  void shouldStartAgainAtTheLogStartWhenTheCheckpointLiesBeyondTheEnd() {
    // Given
    open(CleanerConfig.defaults());
    PartitionLog log = fixture.create(EAGER.with("min.cleanable.dirty.ratio", "1"));
    fixture.write(log, "a=1", "a=2", "b=1");
    log.roll();
    writeCheckpoint(500);

    // When
    Optional<CleaningReport> report = fixture.cleaner().runOnce();

    // Then
    assertThat(report).map(CleaningReport::firstDirtyOffset).contains(0L);
    assertThat(contents(log)).isEqualTo("a=2@1 b=1@2 | ");
    assertThat(checkpoint()).isEqualTo(3);
  }

  @Test
  void shouldCleanAgainWhatWasCutAndWrittenAgainBelowTheCheckpoint() {
    // Given a log that was cleaned up to 100 and then stepped back to 50
    open(CleanerConfig.defaults());
    AtomicLong highWatermark = new AtomicLong(100);
    PartitionLog log = fixture.directory()
        .create(LOG, EAGER, logEndOffset -> Math.min(logEndOffset, highWatermark.get()));
    for (int i = 0; i < 100; i++) {
      fixture.write(log, "k" + i + "=1");
      if (i % 10 == 9) {
        log.roll();
      }
    }
    fixture.cleaner().clean(log);
    highWatermark.set(50);
    log.truncateTo(50);
    for (int i = 0; i < 10; i++) {
      fixture.write(log, "k" + i + "=2");
    }
    log.roll();
    highWatermark.set(Long.MAX_VALUE);

    // When
    fixture.cleaner().clean(log);

    // Then
    assertThat(CleanerFixture.records(log)).hasSize(50).allMatch(record -> record.offset() >= 10);
  }

  @Test
  void shouldNotPassTheHighWatermark() {
    // Given
    open(CleanerConfig.defaults());
    AtomicLong highWatermark = new AtomicLong(3);
    HighWatermark bounded = logEndOffset -> Math.min(logEndOffset, highWatermark.get());
    PartitionLog log = fixture.directory().create(LOG, EAGER, bounded);
    fixture.write(log, "a=1", "a=2");
    log.roll();
    fixture.write(log, "a=3", "a=4");
    log.roll();
    fixture.write(log, "b=1");

    // When the mark lies in the second segment
    CleaningReport inside = fixture.cleaner().clean(log);
    String first = contents(log);
    highWatermark.set(4);
    fixture.cleaner().clean(log);

    // Then
    assertThat(inside.endOffset()).isEqualTo(2);
    assertThat(inside.recordsLeftOut()).isEqualTo(3);
    assertThat(first).isEqualTo("a=2@1 | a=3@2 a=4@3 | b=1@4");
    assertThat(contents(log)).isEqualTo("a=4@3 | b=1@4");
  }

  @Test
  void shouldNotWriteAgainWhatDoesNotChange() {
    // Given twenty large segments that are clean
    open(CleanerConfig.defaults());
    PartitionLog log = fixture.create(EAGER.with("segment.bytes", "2000"));
    for (int i = 0; i < 400; i++) {
      fixture.write(log, "k" + i + "=1");
    }
    log.roll();
    fixture.cleaner().clean(log);
    List<Long> bases = log.segments().all().stream().map(segment -> segment.baseOffset()).toList();

    // When only keys of the youngest change
    fixture.write(log, "k399=2", "k398=2");
    log.roll();
    CleaningReport report = fixture.cleaner().runOnce().orElseThrow();

    // Then
    assertThat(bases).hasSizeGreaterThan(15);
    assertThat(report.bytesWritten()).isLessThan(2_100);
    assertThat(report.bytesBefore()).isGreaterThan(28_000);
    assertThat(report.recordsIn()).isEqualTo(402);
    assertThat(report.recordsOut()).isEqualTo(400);
  }

  @Test
  void shouldWriteOnceWhenAlmostEverythingIsATombstone() {
    // Given nine tombstones of ten, none of which may go yet
    open(CleanerConfig.defaults());
    PartitionLog log = fixture.create(EAGER.with("min.cleanable.dirty.ratio", "0.01"));
    for (int i = 0; i < 100; i++) {
      fixture.write(log, "k" + i + (i % 10 == 0 ? "=1" : "=∅"));
    }
    log.roll();

    // When
    List<Long> written = new ArrayList<>();
    for (int tick = 0; tick < 120; tick++) {
      fixture.cleaner().runOnce().ifPresent(report -> written.add(report.bytesWritten()));
      fixture.advance(5_000);
    }
    CleaningReport forced = fixture.cleaner().clean(log);

    // Then
    assertThat(written).hasSize(1);
    assertThat(forced.bytesWritten()).isZero();
    assertThat(forced.tombstonesKept()).isEqualTo(90);
  }

  @Test
  void shouldCleanAnOverdueLogWhateverItsRatio() {
    // Given one percent dirty
    open(CleanerConfig.defaults());
    PartitionLog log = fixture
        .create(EAGER.with(Map.of("min.cleanable.dirty.ratio", "0.5", "max.compaction.lag.ms", "3600000")));
    for (int i = 0; i < 200; i++) {
      fixture.write(log, "k" + i + "=1");
    }
    log.roll();
    fixture.cleaner().clean(log);
    fixture.write(log, "k0=2", "k0=3");
    log.roll();

    // When
    Optional<CleaningReport> early = fixture.cleaner().runOnce();
    fixture.advance(3_600_001);
    Optional<CleaningReport> late = fixture.cleaner().runOnce();

    // Then
    assertThat(early).isEmpty();
    assertThat(late).isPresent();
  }

  @Test
  void shouldMergeSmallNeighboursThatAreClean() {
    // Given ten segments of one record each
    open(CleanerConfig.defaults());
    PartitionLog log = fixture.create(EAGER);
    for (int i = 0; i < 10; i++) {
      fixture.write(log, "k" + i + "=1");
      log.roll();
    }

    // When
    fixture.cleaner().clean(log);

    // Then
    assertThat(log.segments().inactive()).hasSize(1);
    assertThat(CleanerFixture.records(log)).hasSize(10);
  }

  private void open(CleanerConfig config) {
    fixture = new CleanerFixture(new NioDisk(), root, config);
  }

  private void writeCheckpoint(long offset) {
    fixture.directory().checkpoint(OffsetCheckpoint.CLEANER_OFFSET).write(Map.of(LOG, offset));
  }

  private long checkpoint() {
    return fixture.directory().checkpoint(OffsetCheckpoint.CLEANER_OFFSET).read().get(LOG);
  }
}
