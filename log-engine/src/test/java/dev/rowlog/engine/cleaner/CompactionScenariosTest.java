package dev.rowlog.engine.cleaner;

import static dev.rowlog.engine.cleaner.CleanerFixture.contents;
import static dev.rowlog.engine.cleaner.CleanerFixture.table;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.record.Record;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What compaction does, told with six keys: one record a batch, all of one size, four to a segment, a tick of five
 * seconds.
 */
class CompactionScenariosTest {
  private static final long TICK_MS = 5_000;

  /** A batch of one record with a key of three letters and a value of one digit: 61 bytes of header, 11 of record. */
  private static final int BATCH_BYTES = 72;

  private static final LogConfig FOUR_TO_A_SEGMENT = CleanerFixture.CONFIG.with("segment.bytes",
      Integer.toString(4 * BATCH_BYTES));

  @TempDir
  private Path root;

  private CleanerFixture fixture;

  @BeforeEach
  void open() {
    fixture = new CleanerFixture(new NioDisk(), root);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void shouldKeepEachKeyOnceInTheClosedPartAndLeaveTheActiveSegment() {
    // Given
    PartitionLog log = fixture.create(FOUR_TO_A_SEGMENT);
    fixture.write(log, "ann=1", "bob=1", "ann=2", "cal=1");
    fixture.write(log, "bob=2", "dee=1", "ann=3", "bob=3");
    fixture.write(log, "eve=1", "ann=4", "fay=1");
    TreeMap<String, String> readByWhoSawEveryWrite = table(log);

    // When
    fixture.cleaner().clean(log);

    // Then a late consumer reads offsets 3, 5, 6, 7, 8, 9 and 10, and ends with the same table
    assertThat(contents(log)).isEqualTo("cal=1@3 | dee=1@5 ann=3@6 bob=3@7 | eve=1@8 ann=4@9 fay=1@10");
    assertThat(table(log)).isEqualTo(readByWhoSawEveryWrite);
  }

  @Test
  void shouldSleepBelowTheDirtyRatioAndCleanAtTheNextWakeUpAboveIt() {
    // Given six clean records
    PartitionLog log = fixture.create(FOUR_TO_A_SEGMENT.with("min.cleanable.dirty.ratio", "0.5"));
    fixture.write(log, "ann=1", "bob=1", "ann=2", "cal=1", "bob=2", "dee=1", "eve=1", "fay=1");
    log.roll();
    fixture.cleaner().clean(log);
    assertThat(CleanerFixture.records(log)).hasSize(6);

    // When one segment of four is dirty: 4 / 10
    fixture.write(log, "ann=3", "bob=3", "ann=4", "cal=2");
    log.roll();
    Optional<CleaningReport> atFourTenths = fixture.cleaner().runOnce();
    // and another: 8 / 14
    fixture.write(log, "ann=5", "bob=4", "ann=6", "cal=3");
    log.roll();
    Optional<CleaningReport> atEightFourteenths = fixture.cleaner().runOnce();

    // Then
    assertThat(atFourTenths).isEmpty();
    assertThat(atEightFourteenths).isPresent();
    assertThat(table(log)).isEqualTo(Map.of("ann", "6", "bob", "4", "cal", "3", "dee", "1", "eve", "1", "fay", "1"));
    assertThat(CleanerFixture.records(log)).hasSize(6);
  }

  @Test
  void shouldKeepATombstoneForTheRetentionAfterThePassThatFirstCleanedIt() {
    // Given
    PartitionLog log = fixture.create(FOUR_TO_A_SEGMENT.with("delete.retention.ms", Long.toString(4 * TICK_MS)));
    fixture.write(log, "ann=1", "bob=1", "bob=2", "ann=∅");
    fixture.write(log, "cal=1");
    fixture.advance(10 * TICK_MS);

    // When the first pass drops the older records of its key
    fixture.cleaner().clean(log);
    String afterFirst = contents(log);
    // and a pass before the retention has gone by finds it again
    fixture.advance(4 * TICK_MS - 1);
    fixture.cleaner().clean(log);
    String beforeHorizon = contents(log);
    // and one after it does not
    fixture.advance(1);
    CleaningReport last = fixture.cleaner().clean(log);

    // Then
    assertThat(afterFirst).isEqualTo("bob=2@2 ann=∅@3 | cal=1@4");
    assertThat(beforeHorizon).isEqualTo(afterFirst);
    assertThat(contents(log)).isEqualTo("bob=2@2 | cal=1@4");
    assertThat(last.tombstonesRemoved()).isEqualTo(1);
  }

  @Test
  void shouldLeaveRecordsWithinTheCompactionLagWithTheirDuplicates() {
    // Given
    PartitionLog log = fixture.create(
        FOUR_TO_A_SEGMENT.with("min.compaction.lag.ms", Long.toString(5 * TICK_MS)).with("min.cleanable.dirty.ratio",
            "0"));
    fixture.write(log, "ann=1", "bob=1", "ann=2", "cal=1");
    fixture.advance(3 * TICK_MS);
    fixture.write(log, "dee=1", "dee=2", "ann=3", "ann=4");
    fixture.write(log, "eve=1");
    fixture.advance(2 * TICK_MS);

    // When
    fixture.cleaner().runOnce();
    String first = contents(log);
    fixture.advance(3 * TICK_MS);
    fixture.cleaner().runOnce();

    // Then
    assertThat(first).isEqualTo("bob=1@1 ann=2@2 cal=1@3 | dee=1@4 dee=2@5 ann=3@6 ann=4@7 | eve=1@8");
    assertThat(contents(log)).isEqualTo("bob=1@1 cal=1@3 | dee=2@5 ann=4@7 | eve=1@8");
  }

  @Test
  void shouldDeleteAWholeOldSegmentWithTheKeysThatLiveOnlyThere() {
    // Given
    PartitionLog log = fixture.create(
        FOUR_TO_A_SEGMENT.with("cleanup.policy", "compact,delete").with("retention.ms", Long.toString(10 * TICK_MS)));
    fixture.write(log, "dee=1", "eve=1", "fay=1", "ann=1");
    fixture.advance(8 * TICK_MS);
    fixture.write(log, "ann=2", "bob=1", "cal=1", "bob=2");
    fixture.write(log, "cal=2");
    fixture.advance(2 * TICK_MS);

    // When
    fixture.cleaner().runOnce();
    String withinRetention = contents(log);
    fixture.advance(1);
    fixture.cleaner().runOnce();

    // Then
    assertThat(withinRetention).isEqualTo("dee=1@0 eve=1@1 fay=1@2 | ann=2@4 cal=1@6 bob=2@7 | cal=2@8");
    assertThat(contents(log)).isEqualTo("ann=2@4 cal=1@6 bob=2@7 | cal=2@8");
    assertThat(table(log)).isEqualTo(Map.of("ann", "2", "bob", "2", "cal", "2"));
    assertThat(log.logStartOffset()).isEqualTo(4);
  }

  @Test
  void shouldKeepOffsetsOrderAndTimestamps() {
    // Given
    PartitionLog log = fixture.create(FOUR_TO_A_SEGMENT);
    for (String record : new String[]{"ann=1", "bob=1", "ann=2", "cal=1", "bob=2", "eve=1"}) {
      fixture.write(log, record);
      fixture.advance(TICK_MS);
    }
    log.roll();

    // When
    fixture.cleaner().clean(log);

    // Then
    assertThat(CleanerFixture.records(log)).extracting(Record::offset).containsExactly(2L, 3L, 4L, 5L);
    assertThat(CleanerFixture.records(log)).extracting(record -> record.timestamp() - CleanerFixture.START_MS)
        .containsExactly(2 * TICK_MS, 3 * TICK_MS, 4 * TICK_MS, 5 * TICK_MS);
  }
}
