package dev.rowlog.engine.record;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The fields of a version 2 batch header but for those that follow from the bytes: length, magic and CRC. Immutable.
 *
 * @param baseTimestamp ms; the delete horizon where attribute bit 6 is set; {@link #NO_TIMESTAMP} without records
 * @param recordCount records that follow, 0 for a header-only batch
 */
public record BatchHeader(
    long baseOffset,
    int partitionLeaderEpoch,
    BatchAttributes attributes,
    int lastOffsetDelta,
    long baseTimestamp,
    long maxTimestamp,
    long producerId,
    short producerEpoch,
    int baseSequence,
    int recordCount) {
  public static final long NO_TIMESTAMP = -1;
  public static final long NO_PRODUCER_ID = -1;
  public static final short NO_PRODUCER_EPOCH = -1;
  public static final int NO_SEQUENCE = -1;

  /** The fields of an encoded batch. */
  public static BatchHeader of(RecordBatch batch) {
    return new BatchHeader(
        batch.baseOffset(),
        batch.partitionLeaderEpoch(),
        batch.attributes(),
        batch.lastOffsetDelta(),
        batch.baseTimestamp(),
        batch.maxTimestamp(),
        batch.producerId(),
        batch.producerEpoch(),
        batch.baseSequence(),
        batch.recordCount());
  }

  /**
   * The same batch with other records: codec, horizon bit, timestamps and count change, the rest is what must outlive
   * compaction.
   */
  public BatchHeader withRecords(BatchAttributes attributes, long baseTimestamp, long maxTimestamp, int recordCount) {
    return new BatchHeader(
        baseOffset,
        partitionLeaderEpoch,
        attributes,
        lastOffsetDelta,
        baseTimestamp,
        maxTimestamp,
        producerId,
        producerEpoch,
        baseSequence,
        recordCount);
  }

  /**
   * The same batch without records: 61 bytes that keep the log end and the producer's state (Kafka {@code
   * DefaultRecordBatch.writeEmptyHeader}).
   */
  public BatchHeader withoutRecords() {
    int kept = BatchAttributes.LOG_APPEND_TIME | BatchAttributes.TRANSACTIONAL | BatchAttributes.CONTROL;
    BatchAttributes plain = new BatchAttributes((short) (attributes.bits() & kept));
    return withRecords(plain, NO_TIMESTAMP, maxTimestamp, 0);
  }

  /**
   * Fills the header of a batch whose record bytes are in place already, and computes the CRC over both.
   *
   * @param target big-endian; its position and limit stay
   * @param start byte position of the batch
   * @param sizeBytes of the whole batch
   */
  public void writeTo(ByteBuffer target, int start, int sizeBytes) {
    target.putLong(start + RecordBatchLayout.BASE_OFFSET, baseOffset);
    target.putInt(start + RecordBatchLayout.BATCH_LENGTH, sizeBytes - RecordBatchLayout.LOG_OVERHEAD);
    target.putInt(start + RecordBatchLayout.PARTITION_LEADER_EPOCH, partitionLeaderEpoch);
    target.put(start + RecordBatchLayout.MAGIC, RecordBatchLayout.MAGIC_V2);
    target.putShort(start + RecordBatchLayout.ATTRIBUTES, attributes.bits());
    target.putInt(start + RecordBatchLayout.LAST_OFFSET_DELTA, lastOffsetDelta);
    target.putLong(start + RecordBatchLayout.BASE_TIMESTAMP, baseTimestamp);
    target.putLong(start + RecordBatchLayout.MAX_TIMESTAMP, maxTimestamp);
    target.putLong(start + RecordBatchLayout.PRODUCER_ID, producerId);
    target.putShort(start + RecordBatchLayout.PRODUCER_EPOCH, producerEpoch);
    target.putInt(start + RecordBatchLayout.BASE_SEQUENCE, baseSequence);
    target.putInt(start + RecordBatchLayout.RECORD_COUNT, recordCount);
    CRC32C crc = new CRC32C();
    crc.update(target.duplicate().limit(start + sizeBytes).position(start + RecordBatchLayout.ATTRIBUTES));
    target.putInt(start + RecordBatchLayout.CRC, (int) crc.getValue());
  }
}
