package dev.rowlog.engine.segment;

import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.segment.index.IndexSettings;
import java.util.Optional;

/**
 * What a trusted segment adds up to, from its indexes and the few batches behind their last entry. Reads only; no
 * state.
 */
final class SegmentTail {
  private static final int BUFFER_BYTES = 16 * 1024;

  /**
   * Entries may lie further apart than the setting: it may have been changed, and counting starts anew at each
   * opening.
   */
  private static final long MAX_INTERVALS_WITHOUT_ENTRY = 64;

  private SegmentTail() {}

  /** Empty where the indexes are shorter than the log's bytes ask for. */
  static Optional<SegmentExtent> read(
      DiskFile file, long baseOffset, long logBytes, SegmentIndexes indexes, IndexSettings settings) {
    long tail = logBytes - indexes.offsets().lastPosition();
    if (indexes.offsets().entryCount() > 0 && indexes.times().entryCount() == 0) {
      return Optional.empty();
    }
    BatchScanner scanner = new BatchScanner(file, indexes.offsets().lastPosition(), logBytes, BUFFER_BYTES);
    if (tail > MAX_INTERVALS_WITHOUT_ENTRY * Math.max(settings.intervalBytes(), 1) && scanner.next()
        && scanner.nextPosition() < logBytes) {
      return Optional.empty();
    }
    return Optional.of(extent(file, baseOffset, logBytes, indexes));
  }

  /** The extent of the first {@code logBytes}, whose indexes hold nothing beyond. */
  static SegmentExtent extent(DiskFile file, long baseOffset, long logBytes, SegmentIndexes indexes) {
    SegmentExtent extent = SegmentExtent.empty(baseOffset);
    if (logBytes == 0) {
      return extent;
    }
    long from = indexes.offsets().lastPosition();
    BatchScanner scanner = new BatchScanner(file, 0, logBytes, BUFFER_BYTES);
    if (from > 0) {
      scanner.next();
      long first = scanner.batch().maxTimestamp();
      extent = new SegmentExtent(
          from, baseOffset, first, indexes.times().lastTimestamp(), indexes.times().lastOffset());
      scanner.reset(file, from, logBytes);
    }
    while (scanner.next()) {
      extent = extent.plus(scanner.batch());
    }
    return extent;
  }

  /** Byte position of the first batch at or behind {@code from} whose last offset is at least {@code offset}. */
  static long positionOf(DiskFile file, long from, long end, long offset) {
    BatchScanner scanner = new BatchScanner(file, from, end, BUFFER_BYTES);
    while (scanner.next()) {
      if (scanner.batch().lastOffset() >= offset) {
        return scanner.position();
      }
    }
    return end;
  }
}
