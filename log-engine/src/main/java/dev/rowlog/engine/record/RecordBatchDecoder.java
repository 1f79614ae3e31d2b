package dev.rowlog.engine.record;

import java.nio.ByteBuffer;

/**
 * Walks the records of one batch at a time, decompressing into a buffer of its own that is reused. One thread.
 *
 * <p>Between {@link #next()} calls the fields of the current record can be read in place, without an object a record.
 */
public final class RecordBatchDecoder {

  /** Default bound of the plain size of one batch: what a Java buffer can hold. */
  public static final int NO_LIMIT = Integer.MAX_VALUE - 64;

  public RecordBatchDecoder() {}

  /**
   * Starts at the first record of {@code batch}. Does not check the CRC: the caller has.
   *
   * @throws dev.rowlog.engine.error.InvalidRecordException where the records do not decode
   */
  public void open(RecordBatch batch) {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * Moves to the next record; false at the end, having checked that the records fill the batch exactly.
   *
   * @throws dev.rowlog.engine.error.InvalidRecordException where the bytes are not a record
   */
  public boolean next() {
    throw new UnsupportedOperationException("skeleton");
  }

  public long offset() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** The record's own timestamp, also where the batch carries a delete horizon or log append time. */
  public long timestamp() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** The buffer that positions of the current record refer to: the batch's own, or the plain one. */
  public ByteBuffer data() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Bytes of the key, -1 for none. */
  public int keyLength() {
    throw new UnsupportedOperationException("skeleton");
  }

  public int keyPosition() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Bytes of the value, -1 for a tombstone. */
  public int valueLength() {
    throw new UnsupportedOperationException("skeleton");
  }

  public int valuePosition() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Where the record (its length varint) starts in {@link #data()}. */
  public int recordStart() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** One past the record's last byte in {@link #data()}. */
  public int recordEnd() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** The current record as an object with copies of its bytes. */
  public Record record() {
    throw new UnsupportedOperationException("skeleton");
  }
}
