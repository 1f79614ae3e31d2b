package dev.rowlog.engine.cleaner.plan;

import java.util.List;
import java.util.OptionalLong;

/**
 * Which part of a log the next pass may clean: {@code [firstDirtyOffset, firstUncleanableOffset)}; pure (Kafka {@code
 * LogCleanerManager.cleanableOffsets}, KIP-58, KIP-354).
 *
 * <p>Invariant: {@code firstDirtyOffset <= firstUncleanableOffset}; the second is the base of a segment, unless the
 * range is empty.
 *
 * @param firstDirtyOffset inclusive; below it every key is there once
 * @param firstUncleanableOffset exclusive end: high watermark or last stable offset, active segment, compaction lag
 * @param cleanBytes size of the segments that begin below the first dirty offset
 * @param cleanableBytes size of the segments from the one that holds the first dirty offset to the end of the range
 * @param oldestDirtyTimestamp ms: smallest timestamp of a first batch in a dirty closed segment; {@link
 *     Long#MAX_VALUE} where none has one
 * @param checkpointRejected true where the checkpoint lay outside the log and the range starts at the log start instead
 */
public record DirtyRange(
    long firstDirtyOffset,
    long firstUncleanableOffset,
    long cleanBytes,
    long cleanableBytes,
    long oldestDirtyTimestamp,
    boolean checkpointRejected) {

  /**
   * What bounds a log's range.
   *
   * @param logStartOffset first readable offset
   * @param logEndOffset next offset to be written
   * @param lastStableOffset at most the high watermark; nothing at or beyond it is cleaned
   */
  public record Bounds(long logStartOffset, long logEndOffset, long lastStableOffset) {}

  /**
   * @param segments all segments, ascending, the active one last; at least one
   * @param checkpoint the cleaner checkpoint; empty where the log was never cleaned
   * @param nowMs the wall clock
   * @param lag what stays as it was written
   */
  public static DirtyRange of(
      List<SegmentFacts> segments, OptionalLong checkpoint, Bounds bounds, long nowMs, CompactionLag lag) {
    long stored = checkpoint.orElse(bounds.logStartOffset());
    // Below the log start: old segments were deleted. Beyond the end: the log was cut or replaced, so nothing is
    // known to be clean.
    boolean rejected = stored < bounds.logStartOffset() || stored > bounds.logEndOffset();
    long firstDirty = rejected ? bounds.logStartOffset() : stored;
    int firstDirtyIndex = floorIndex(segments, firstDirty);
    int uncleanableIndex = firstUncleanableIndex(segments, firstDirtyIndex, bounds, nowMs, lag);
    long firstUncleanable = Math.max(firstDirty, segments.get(uncleanableIndex).baseOffset());
    long cleanable = 0;
    long oldest = Long.MAX_VALUE;
    if (firstDirty < firstUncleanable) {
      for (SegmentFacts segment : segments.subList(firstDirtyIndex, uncleanableIndex)) {
        cleanable += segment.sizeBytes();
        oldest = segment.firstBatchTimestamp() > 0 ? Math.min(oldest, segment.firstBatchTimestamp()) : oldest;
      }
    }
    long clean = segments.stream()
        .filter(segment -> segment.baseOffset() < firstDirty)
        .mapToLong(SegmentFacts::sizeBytes)
        .sum();
    return new DirtyRange(firstDirty, firstUncleanable, clean, cleanable, oldest, rejected);
  }

  private static int firstUncleanableIndex(
      List<SegmentFacts> segments, int firstDirtyIndex, Bounds bounds, long nowMs, CompactionLag lag) {
    int active = segments.size() - 1;
    // A bound inside a segment makes that whole segment uncleanable.
    int end = bounds.lastStableOffset() < bounds.logEndOffset()
        ? Math.min(active, floorIndex(segments, bounds.lastStableOffset()))
        : active;
    long bytesToLogEnd = segments.subList(firstDirtyIndex, segments.size()).stream()
        .mapToLong(SegmentFacts::sizeBytes).sum();
    for (int i = firstDirtyIndex; i < end; i++) {
      if (lag.holds(segments.get(i).largestTimestamp(), bytesToLogEnd, nowMs)) {
        return i;
      }
      bytesToLogEnd -= segments.get(i).sizeBytes();
    }
    return end;
  }

  private static int floorIndex(List<SegmentFacts> segments, long offset) {
    int index = 0;
    while (index + 1 < segments.size() && segments.get(index + 1).baseOffset() <= offset) {
      index++;
    }
    return index;
  }

  /**
   * Share of the bytes that may be cleaned in all that lies below the end of the range: 0 to 1; 0 where there is
   * nothing.
   */
  public double ratio() {
    long total = cleanBytes + cleanableBytes;
    return total == 0 ? 0 : (double) cleanableBytes / total;
  }

  public boolean hasSomethingToClean() {
    return cleanableBytes > 0;
  }

  /** Ms by which the oldest dirty record has passed {@code max.compaction.lag.ms}; 0 or less where it has not. */
  public long overdueMs(long nowMs, long maxCompactionLagMs) {
    if (!hasSomethingToClean() || oldestDirtyTimestamp == Long.MAX_VALUE) {
      return 0;
    }
    return nowMs - maxCompactionLagMs - oldestDirtyTimestamp;
  }
}
