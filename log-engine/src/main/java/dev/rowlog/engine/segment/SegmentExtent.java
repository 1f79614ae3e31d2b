package dev.rowlog.engine.segment;

import dev.rowlog.engine.record.RecordBatch;

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
}
