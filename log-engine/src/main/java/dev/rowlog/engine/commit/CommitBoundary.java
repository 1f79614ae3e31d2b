package dev.rowlog.engine.commit;

import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.SegmentList;
import dev.rowlog.engine.segment.BatchScanner;
import dev.rowlog.engine.segment.Segment;

/**
 * Whether a batch begins or ends at an offset: a commit inside a batch could not be cut to again.
 */
final class CommitBoundary {
  private static final int READ_BYTES = 8 * 1024;

  private CommitBoundary() {}

  /** For an offset at or below the log's end that the writer has appended up to; reads at most an index interval. */
  static boolean isAt(PartitionLog log, long offset) {
    if (offset == log.logEndOffset()) {
      return true;
    }
    SegmentList segments = log.segments();
    Segment segment = segments.all().get(segments.floorIndex(offset));
    if (!segment.retain()) {
      // Replaced by the cleaner: it lies below a commit, and commits were checked.
      return true;
    }
    try {
      return isAt(segment, offset);
    } finally {
      segment.release();
    }
  }

  private static boolean isAt(Segment segment, long offset) {
    BatchScanner batches = new BatchScanner(segment.logFile(), segment.floorPosition(offset), segment.sizeBytes(),
        READ_BYTES);
    while (batches.next()) {
      if (batches.batch().nextOffset() > offset) {
        return batches.batch().baseOffset() >= offset;
      }
    }
    return true;
  }
}
