package dev.rowlog.engine.cleaner.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirtyRangeTest {
  private static final long NOW = 1_000_000;

  /** Segments 0 to 4, 4 to 8, 8 to 12 of 100 bytes, and the active one from 12 to 14. */
  private static final List<SegmentFacts> SEGMENTS = List.of(segment(0, 100, 1_000), segment(4, 100, 2_000),
      segment(8, 100, 3_000), segment(12, 50, 4_000));

  private static final DirtyRange.Bounds WHOLE = new DirtyRange.Bounds(0, 14, 14);

  @Test
  void shouldSpanTheClosedSegmentsWhenNeverCleaned() {
    // When
    DirtyRange range = DirtyRange.of(SEGMENTS, OptionalLong.empty(), WHOLE, NOW, CompactionLag.ofTime(0));

    // Then
    assertThat(range).isEqualTo(new DirtyRange(0, 12, 0, 300, 1_000, false));
    assertThat(range.ratio()).isEqualTo(1.0);
  }

  @ParameterizedTest
  @CsvSource({
      // checkpoint, first dirty, first uncleanable, clean, cleanable
      "4, 4, 12, 100, 200",
      "8, 8, 12, 200, 100",
      "6, 6, 12, 200, 200",
      "12, 12, 12, 300, 0",
      "13, 13, 13, 350, 0",
      "14, 14, 14, 350, 0",
  })
  void shouldBeginAtTheCheckpoint(long checkpoint, long firstDirty, long firstUncleanable, long clean, long cleanable) {
    // When
    DirtyRange range = DirtyRange.of(SEGMENTS, OptionalLong.of(checkpoint), WHOLE, NOW, CompactionLag.ofTime(0));

    // Then
    assertThat(range.firstDirtyOffset()).isEqualTo(firstDirty);
    assertThat(range.firstUncleanableOffset()).isEqualTo(firstUncleanable);
    assertThat(range.cleanBytes()).isEqualTo(clean);
    assertThat(range.cleanableBytes()).isEqualTo(cleanable);
    assertThat(range.checkpointRejected()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"500", "15", "2"})
  void shouldBeginAtTheLogStartWhenTheCheckpointLiesOutsideTheLog(long checkpoint) {
    // When
    DirtyRange range = DirtyRange.of(SEGMENTS, OptionalLong.of(checkpoint), new DirtyRange.Bounds(3, 14, 14), NOW,
        CompactionLag.ofTime(0));

    // Then
    assertThat(range.firstDirtyOffset()).isEqualTo(3);
    assertThat(range.checkpointRejected()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"14, 12", "13, 12", "12, 12", "11, 8", "8, 8", "5, 4", "0, 0"})
  void shouldEndBelowTheSegmentThatHoldsTheLastStableOffset(long lastStable, long firstUncleanable) {
    // When
    DirtyRange range = DirtyRange.of(SEGMENTS, OptionalLong.empty(), new DirtyRange.Bounds(0, 14, lastStable), NOW,
        CompactionLag.ofTime(0));

    // Then
    assertThat(range.firstUncleanableOffset()).isEqualTo(firstUncleanable);
  }

  @ParameterizedTest
  @CsvSource({
      // Newest records of the closed segments are of 1000, 2000 and 3000.
      "6000, 500, 12", "6000, 3000, 12", "6000, 3001, 8", "6000, 4001, 4", "6000, 5001, 0", "6000, 0, 12"
  })
  void shouldLeaveSegmentsWithinTheCompactionLag(long now, long lag, long firstUncleanable) {
    // When
    DirtyRange range = DirtyRange.of(SEGMENTS, OptionalLong.empty(), WHOLE, now, CompactionLag.ofTime(lag));

    // Then
    assertThat(range.firstUncleanableOffset()).isEqualTo(firstUncleanable);
  }

  @ParameterizedTest
  @CsvSource({
      // Closed segments and the active one as SEGMENTS has them: all young, so only the bytes let any go.
      "0, 12", "1000000, 0"
  })
  void shouldLeaveNoMoreBytesThanTheCompactionLagHas(long maxBytes, long firstUncleanable) {
    // When
    DirtyRange range = DirtyRange.of(SEGMENTS, OptionalLong.empty(), WHOLE, 1_000, new CompactionLag(5_000, maxBytes));

    // Then
    assertThat(range.firstUncleanableOffset()).isEqualTo(firstUncleanable);
  }

  @Test
  void shouldCountTheBytesOfTheCompactionLagFromTheLogEndBeyondTwoGibibytes() {
    // Given
    long size = 3L << 30;
    List<SegmentFacts> segments = List.of(segment(0, size, 900), segment(4, size, 900), segment(8, size, 900),
        segment(12, 10, 900));

    // When
    DirtyRange range = DirtyRange.of(segments, OptionalLong.empty(), new DirtyRange.Bounds(0, 13, 13), 1_000,
        new CompactionLag(5_000, size + 10));

    // Then
    assertThat(range.firstUncleanableOffset()).isEqualTo(8);
  }

  @Test
  void shouldLeaveEverythingAfterAYoungSegmentEvenIfItIsOlder() {
    // Given
    List<SegmentFacts> segments = List.of(segment(0, 100, 9_000), segment(4, 100, 1_000), segment(8, 100, 2_000));

    // When
    DirtyRange range = DirtyRange.of(segments, OptionalLong.empty(), new DirtyRange.Bounds(0, 9, 9), 10_000,
        CompactionLag.ofTime(5_000));

    // Then
    assertThat(range.hasSomethingToClean()).isFalse();
  }

  @Test
  void shouldBeEmptyWhenTheCheckpointLiesInAGapBeforeTheActiveSegment() {
    // Given offsets 0 to 2, then 100
    List<SegmentFacts> segments = List.of(segment(0, 100, 1_000), segment(100, 50, 2_000));

    // When
    DirtyRange range = DirtyRange.of(segments, OptionalLong.of(100), new DirtyRange.Bounds(0, 101, 101), NOW,
        CompactionLag.ofTime(0));

    // Then
    assertThat(range.hasSomethingToClean()).isFalse();
  }

  @Test
  void shouldKeepTheRatioBetweenNothingAndOneBeyondTwoGibibytes() {
    // Given
    long size = 3L << 30;
    List<SegmentFacts> segments = List.of(segment(0, size, 1), segment(4, size, 1), segment(8, size, 1),
        segment(12, 0, -1));

    // When
    DirtyRange range = DirtyRange.of(segments, OptionalLong.of(4), new DirtyRange.Bounds(0, 12, 12), NOW,
        CompactionLag.ofTime(0));

    // Then
    assertThat(range.ratio()).isEqualTo(2.0 / 3);
  }

  @ParameterizedTest
  @CsvSource({"0, 500, 500", "0, 2000, -1000", "4, 500, -500", "12, 500, 0"})
  void shouldCountTheOverdueTimeFromTheOldestDirtyRecord(long checkpoint, long maxLag, long overdue) {
    // Given a clock at 2000
    DirtyRange range = DirtyRange.of(SEGMENTS, OptionalLong.of(checkpoint), WHOLE, 2_000, CompactionLag.ofTime(0));

    // Then
    assertThat(range.overdueMs(2_000, maxLag)).isEqualTo(overdue);
  }

  @Test
  void shouldNeverBeOverdueWithoutALimit() {
    // Given
    DirtyRange range = DirtyRange.of(SEGMENTS, OptionalLong.empty(), WHOLE, NOW, CompactionLag.ofTime(0));

    // Then
    assertThat(range.overdueMs(NOW, Long.MAX_VALUE)).isNegative();
  }

  private static SegmentFacts segment(long baseOffset, long sizeBytes, long timestamp) {
    return new SegmentFacts(baseOffset, sizeBytes, timestamp, timestamp);
  }
}
