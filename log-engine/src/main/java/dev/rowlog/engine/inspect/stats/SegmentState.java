package dev.rowlog.engine.inspect.stats;

/** Where a segment stands in the eyes of the cleaner. */
public enum SegmentState {
  /** Taken for appends; never cleaned. */
  ACTIVE,
  /** Holds offsets at or beyond the first dirty offset. */
  DIRTY,
  /** Lies wholly below the first dirty offset. */
  CLEAN
}
