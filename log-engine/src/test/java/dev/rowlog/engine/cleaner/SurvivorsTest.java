package dev.rowlog.engine.cleaner;

import static dev.rowlog.engine.cleaner.CleanerFixture.CONFIG;
import static dev.rowlog.engine.cleaner.CleanerFixture.START_MS;
import static dev.rowlog.engine.cleaner.CleanerFixture.contents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.ManualClock;
import dev.rowlog.engine.cleaner.map.KeyHash;
import dev.rowlog.engine.disk.HookedDisk;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.log.directory.OffsetCheckpoint;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.Record;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which records a pass leaves: the faults that other compacted logs had. */
class SurvivorsTest {
  private static final long RETENTION_MS = 10_000;
  private static final LogConfig SHORT_RETENTION = CONFIG.with("delete.retention.ms", Long.toString(RETENTION_MS));

  @TempDir
  private Path root;

  private CleanerFixture fixture;

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void shouldTreatANullValueAsDeleteAndAValueOfNoBytesAsValue() {
    // Given
    PartitionLog log = open(SHORT_RETENTION);
    fixture.write(log, "a=1", "a=∅", "c=1", "c=");
    log.roll();
    fixture.write(log, "b=1");

    // When
    fixture.cleaner().clean(log);
    String first = contents(log);
    fixture.advance(RETENTION_MS);
    fixture.cleaner().clean(log);

    // Then
    assertThat(first).isEqualTo("a=∅@1 c=@3 | b=1@4");
    assertThat(contents(log)).isEqualTo("c=@3 | b=1@4");
  }

  @Test
  void shouldStampTheHorizonOnceAndRemoveTheTombstoneExactlyThen() {
    // Given
    PartitionLog log = open(SHORT_RETENTION);
    fixture.write(log, "a=∅");
    log.roll();
    fixture.write(log, "b=1");
    log.roll();

    // When
    fixture.advance(500);
    fixture.cleaner().clean(log);
    CleanerFixture.BatchFacts stamped = CleanerFixture.batches(log).get(0);
    long timestamp = CleanerFixture.records(log).get(0).timestamp();
    fixture.advance(RETENTION_MS - 1);
    CleaningReport before = fixture.cleaner().clean(log);
    fixture.advance(1);
    fixture.cleaner().clean(log);

    // Then
    assertThat(stamped.hasHorizon()).isTrue();
    assertThat(stamped.baseTimestamp()).isEqualTo(START_MS + 500 + RETENTION_MS);
    assertThat(timestamp).isEqualTo(START_MS);
    assertThat(before.tombstonesKept()).isEqualTo(1);
    assertThat(CleanerFixture.records(log)).extracting(CleanerFixture::print).containsExactly("b=1@1");
    assertThat(checkpointed(OffsetCheckpoint.TOMBSTONE_HORIZON)).isZero();
  }

  @Test
  void shouldNotStartTheClockOfATombstoneAboveTheMapsEnd() {
    // Given a map of two keys
    open(CleanerFixture.mapOf(2));
    PartitionLog log = fixture.create(SHORT_RETENTION.with("min.cleanable.dirty.ratio", "0"));
    fixture.write(log, "a=1", "b=1", "c=1", "a=∅");
    log.roll();

    // When the first round ends before c
    CleaningReport first = fixture.cleaner().runOnce().orElseThrow();
    boolean early = CleanerFixture.batches(log).get(3).hasHorizon();
    String afterFirst = contents(log);
    fixture.advance(RETENTION_MS + 1);
    fixture.cleaner().runOnce();

    // Then it starts with the round that removes the older value
    assertThat(first.endOffset()).isEqualTo(2);
    assertThat(early).isFalse();
    assertThat(afterFirst).isEqualTo("a=1@0 b=1@1 c=1@2 a=∅@3 | ");
    assertThat(contents(log)).isEqualTo("b=1@1 c=1@2 a=∅@3 | ");
    assertThat(CleanerFixture.batches(log)).last().extracting(CleanerFixture.BatchFacts::baseTimestamp)
        .isEqualTo(fixture.clock.millis() + RETENTION_MS);
  }

  @Test
  void shouldKeepTheLogEndWhenEveryRecordOfTheClosedPartIsReplaced() {
    // Given closed segments whose last record is a tombstone that will go
    PartitionLog log = open(SHORT_RETENTION);
    fixture.write(log, "a=1", "b=1", "a=2", "b=∅", "a=∅");
    log.roll();

    // When
    fixture.cleaner().clean(log);
    fixture.advance(RETENTION_MS);
    fixture.cleaner().clean(log);
    fixture.reopen();
    PartitionLog again = fixture.load(SHORT_RETENTION);

    // Then
    assertThat(CleanerFixture.records(again)).isEmpty();
    assertThat(CleanerFixture.batches(again)).extracting(CleanerFixture.BatchFacts::lastOffset).containsExactly(4L);
    assertThat(again.logEndOffset()).isEqualTo(5);
    fixture.write(again, "c=1");
    assertThat(contents(again)).endsWith("c=1@5");
  }

  @Test
  void shouldKeepTheOtherRecordsOfABatchThatHoldsATombstone() {
    // Given
    PartitionLog log = open(SHORT_RETENTION);
    fixture.writeBatch(log, Compression.NONE, "a=1", "b=∅", "c=3");
    log.roll();

    // When
    fixture.cleaner().clean(log);
    String first = contents(log);
    fixture.advance(RETENTION_MS);
    fixture.cleaner().clean(log);

    // Then
    assertThat(first).isEqualTo("a=1@0 b=∅@1 c=3@2 | ");
    assertThat(contents(log)).isEqualTo("a=1@0 c=3@2 | ");
  }

  @Test
  void shouldKeepWhatIsAppendedWhileThePassRuns() {
    // Given
    HookedDisk disk = new HookedDisk(new NioDisk());
    fixture = new CleanerFixture(disk, root);
    PartitionLog log = fixture.create(CONFIG);
    fixture.write(log, "a=1", "a=2", "b=1");
    log.roll();
    AtomicBoolean once = new AtomicBoolean();
    disk.listen((verb, file) -> {
      if (file.toString().endsWith(".log.cleaned") && once.compareAndSet(false, true)) {
        fixture.write(log, "a=3", "b=2", "b=3");
        log.roll();
        fixture.write(log, "a=4");
      }
    });

    // When
    CleaningReport report = fixture.cleaner().clean(log);

    // Then
    assertThat(once).isTrue();
    assertThat(contents(log)).isEqualTo("a=2@1 b=1@2 | a=3@3 b=2@4 b=3@5 | a=4@6");
    assertThat(report.endOffset()).isEqualTo(3);
    assertThat(report.recordsLeftOut()).isEqualTo(4);
  }

  @Test
  void shouldRefuseARecordWithoutKeyAndDropAndCountThoseThatAreThere() {
    // Given a log that was not compacted when they came
    PartitionLog log = open(CONFIG.with("cleanup.policy", "delete"));
    fixture.writeBatch(log, Compression.NONE, "=x", "a=1", "=y");
    fixture.write(log, "=z", "a=2");
    log.roll();
    log.reconfigure(CONFIG);

    // When
    CleaningReport report = fixture.cleaner().clean(log);

    // Then
    assertThat(contents(log)).isEqualTo("a=2@4 | ");
    assertThat(report.recordsWithoutKey()).isEqualTo(3);
    assertThat(report.recordsIn()).isEqualTo(5);
    assertThat(report.recordsOut()).isEqualTo(1);
    assertThatThrownBy(() -> fixture.write(log, "=x")).isInstanceOf(InvalidRecordException.class);
  }

  @Test
  void shouldDropRecordsWithoutKeyFromTheCleanPartToo() {
    // Given a policy that changed after the log was cleaned
    PartitionLog log = open(CONFIG);
    fixture.write(log, "a=1");
    log.roll();
    fixture.cleaner().clean(log);
    log.reconfigure(CONFIG.with("cleanup.policy", "delete"));
    fixture.write(log, "=x", "b=1");
    log.roll();
    fixture.directory().checkpoint(OffsetCheckpoint.CLEANER_OFFSET).write(java.util.Map.of(CleanerFixture.LOG, 3L));
    log.reconfigure(CONFIG);

    // When
    CleaningReport report = fixture.cleaner().clean(log);

    // Then
    assertThat(CleanerFixture.records(log)).extracting(CleanerFixture::print).containsExactly("a=1@0", "b=1@2");
    assertThat(report.recordsWithoutKey()).isEqualTo(1);
  }

  @Test
  void shouldLoseNoKeyWhenEveryKeyHasTheSameHash() {
    // Given
    KeyHash constant = new KeyHash() {
      @Override
      public long hash(long word0, long word1, long word2, int length) {
        return 42;
      }

      @Override
      public long hash(ByteBuffer data, int position, int length) {
        return 42;
      }
    };
    fixture = new CleanerFixture(new NioDisk(), root, new ManualClock(START_MS), CleanerConfig.defaults(), constant);
    PartitionLog log = fixture.create(CONFIG);
    for (int i = 0; i < 200; i++) {
      fixture.write(log, "key" + i % 100 + (i % 2 == 0 ? "" : " with a tail that makes it long") + "=" + i);
    }
    log.roll();

    // When
    fixture.cleaner().clean(log);

    // Then
    assertThat(CleanerFixture.records(log)).extracting(Record::offset).hasSize(100).allMatch(offset -> offset >= 100);
  }

  private PartitionLog open(LogConfig config) {
    fixture = new CleanerFixture(new NioDisk(), root);
    return fixture.create(config);
  }

  private void open(CleanerConfig config) {
    fixture = new CleanerFixture(new NioDisk(), root, config);
  }

  private long checkpointed(String file) {
    return fixture.directory().checkpoint(file).read().get(CleanerFixture.LOG);
  }
}
