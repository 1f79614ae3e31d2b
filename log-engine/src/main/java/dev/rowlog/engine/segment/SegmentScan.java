package dev.rowlog.engine.segment;

import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.segment.index.IndexSettings;
import java.util.Optional;

/**
 * One walk over a {@code .log} that trusts nothing: checks each batch, gathers the indexes in memory, stops at the
 * first batch that is not valid. Changes nothing. One thread.
 */
final class SegmentScan {
  private static final int BUFFER_BYTES = 256 * 1024;

  private final long baseOffset;
  private final SegmentIndexes indexes;
  private final SegmentExtent extent;
  private final CorruptLogException problem;

  private SegmentScan(long baseOffset, SegmentIndexes indexes, SegmentExtent extent, CorruptLogException problem) {
    this.baseOffset = baseOffset;
    this.indexes = indexes;
    this.extent = extent;
    this.problem = problem;
  }

  static SegmentScan of(DiskFile file, long baseOffset, IndexSettings settings) {
    long fileBytes = file.size();
    BatchScanner scanner = new BatchScanner(file, 0, fileBytes, (int) Math.min(BUFFER_BYTES, fileBytes));
    SegmentIndexes indexes = SegmentIndexes.inMemory(baseOffset);
    SegmentExtent before = SegmentExtent.empty(baseOffset);
    SegmentExtent extent = before;
    boolean leavesGap = false;
    try {
      while (scanner.next()) {
        RecordBatch batch = scanner.batch();
        ensureValid(batch, file, scanner.position());
        if (batch.baseOffset() < extent.nextOffset() && leavesGap) {
          // The offset is outside of the CRC: of two batches in the wrong order the one that leapt ahead is the
          // suspect.
          indexes.truncate(before.sizeBytes(), before.nextOffset());
          extent = before;
          throw unexpected(file, before.sizeBytes(),
              "the batch leaps to an offset beyond that of the batch that follows it");
        }
        ensureFollows(batch, file, scanner.position(), baseOffset, extent.nextOffset());
        leavesGap = batch.baseOffset() > extent.nextOffset();
        before = extent;
        extent = before.plus(batch);
        indexes.add(batch, before, extent, settings);
      }
      return new SegmentScan(baseOffset, indexes, extent, null);
    } catch (CorruptLogException e) {
      // The disk's own failures pass: only bytes that were read and are wrong end a segment.
      return new SegmentScan(baseOffset, indexes, extent, e);
    }
  }

  private static void ensureValid(RecordBatch batch, DiskFile file, long position) {
    try {
      batch.ensureValid(file.path(), position);
    } catch (UnsupportedFormatException e) {
      // Zeros of a sector that was never written look like an old magic; a message of an old format has a valid CRC
      // of its own.
      if (LegacyMessage.isValid(batch)) {
        throw e;
      }
      throw new CorruptLogException(file.path(), position, "batch magic is " + batch.magic() + ", expected 2", e);
    }
  }

  private static void ensureFollows(RecordBatch batch, DiskFile file, long position, long baseOffset, long nextOffset) {
    if (batch.baseOffset() < nextOffset || batch.lastOffset() - baseOffset > Integer.MAX_VALUE) {
      throw unexpected(
          file,
          position,
          "batch of offsets " + batch.baseOffset() + " to " + batch.lastOffset() + " cannot follow: expected from "
              + nextOffset
              + " on, at most " + Integer.MAX_VALUE + " above base offset " + baseOffset);
    }
  }

  private static CorruptLogException unexpected(DiskFile file, long position, String problem) {
    return new CorruptLogException(file.path(), position, problem);
  }

  /**
   * @throws CorruptLogException the problem, where there is one
   */
  void ensureWhole() {
    if (problem != null) {
      throw problem;
    }
  }

  long baseOffset() {
    return baseOffset;
  }

  SegmentIndexes indexes() {
    return indexes;
  }

  /** Of the valid batches. */
  SegmentExtent extent() {
    return extent;
  }

  /** Why it stopped before the end of the file. */
  Optional<CorruptLogException> problem() {
    return Optional.ofNullable(problem);
  }
}
