package dev.rowlog.engine.segment;

import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.segment.SegmentFileName.Kind;
import java.nio.ByteBuffer;

/**
 * What the batches of a segment add up to. Immutable: a reader sees all of its values of one moment.
 *
 * @param sizeBytes bytes of whole batches
 * @param nextOffset after the last batch; the base offset where there is none
 * @param firstBatchTimestamp largest of the first batch (ms); -1 where there is none
 * @param maxTimestamp largest of all batches (ms); -1 where none has one
 * @param maxTimestampOffset last offset of the first batch that has it
 */
record SegmentExtent(
    long sizeBytes, long nextOffset, long firstBatchTimestamp, long maxTimestamp, long maxTimestampOffset) {

  static SegmentExtent empty(long baseOffset) {
    return new SegmentExtent(0, baseOffset, -1, -1, -1);
  }

  SegmentExtent plus(RecordBatch batch) {
    long timestamp = batch.maxTimestamp();
    boolean isLarger = timestamp > maxTimestamp;
    return new SegmentExtent(
        sizeBytes + batch.sizeBytes(),
        batch.nextOffset(),
        sizeBytes == 0 ? timestamp : firstBatchTimestamp,
        isLarger ? timestamp : maxTimestamp,
        isLarger ? batch.lastOffset() : maxTimestampOffset);
  }

  /**
   * @param batches from position to limit; not consumed
   * @param view any, for this use
   * @param files where they are to go
   * @throws InvalidRecordException where the batches cannot follow in the segment
   */
  void ensureFits(ByteBuffer batches, RecordBatch view, SegmentFiles files) {
    long next = nextOffset;
    for (int at = batches.position(); at < batches.limit(); at += view.sizeBytes()) {
      RecordBatch batch = view.wrap(batches, at);
      if (batch.baseOffset() < next) {
        throw new InvalidRecordException(
            "batch at offset " + batch.baseOffset() + " does not follow " + files.path(Kind.LOG)
                + ": its next offset is " + next);
      }
      if (batch.lastOffset() - files.baseOffset() > Integer.MAX_VALUE) {
        throw new InvalidRecordException(
            "offset " + batch.lastOffset() + " is more than 2^31-1 above the base of " + files.path(Kind.LOG)
                + ": roll first");
      }
      next = batch.nextOffset();
    }
    if (sizeBytes + batches.remaining() > Integer.MAX_VALUE) {
      throw new InvalidRecordException(
          files.path(Kind.LOG) + " has " + sizeBytes + " bytes, " + batches.remaining()
              + " more pass 2^31-1: roll first");
    }
  }
}
