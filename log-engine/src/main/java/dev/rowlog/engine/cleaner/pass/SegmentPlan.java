package dev.rowlog.engine.cleaner.pass;

import dev.rowlog.engine.cleaner.plan.SegmentGroups;
import dev.rowlog.engine.segment.Segment;

/**
 * What a pass has found out about one segment before it decides what to write. One thread.
 *
 * <p>Counts are of records below the pass's end.
 */
final class SegmentPlan {
  final Segment segment;
  /** Where the next segment begins. */
  final long endOffset;
  /** Records at or beyond the first dirty offset; their bits are those from {@link #firstOrdinal} on. */
  long dirtyRecords;
  long firstOrdinal;
  /** Records below the first dirty offset; counted only where none of them changes, or on the way to be rewritten. */
  long cleanRecords;
  /** Tombstones seen; where there are none, batches need not be walked for them. */
  long tombstones;
  long recordsWithoutKey;
  boolean changes;

  SegmentPlan(Segment segment, long endOffset) {
    this.segment = segment;
    this.endOffset = endOffset;
  }

  long records() {
    return dirtyRecords + cleanRecords;
  }

  SegmentGroups.Member member() {
    return new SegmentGroups.Member(
        segment.baseOffset(),
        endOffset,
        segment.sizeBytes(),
        segment.offsetIndexBytes(),
        segment.timeIndexBytes(),
        changes);
  }
}
