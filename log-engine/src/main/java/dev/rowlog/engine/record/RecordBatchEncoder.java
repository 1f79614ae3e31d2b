package dev.rowlog.engine.record;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Builds one batch at a time in a buffer that is reused. One thread.
 *
 * <p>Use: {@code begin()}, {@code add(...)} any number of times, {@code finish(baseOffset)}; {@code PartitionLog.append} does the last.
 */
public final class RecordBatchEncoder {
  private final Compression compression;

  public RecordBatchEncoder(Compression compression) {
    this.compression = compression;
  }

  public Compression compression() {
    return compression;
  }

  /** Forgets what was added. */
  public void begin() {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * Adds a record at the next offset (delta 0, 1, 2 ...).
   *
   * @param timestamp ms since the epoch
   * @param key may be null; neither array is kept
   * @param value null for a tombstone
   * @throws dev.rowlog.engine.error.InvalidRecordException where the batch would pass what a Java buffer holds
   */
  public void add(long timestamp, byte[] key, byte[] value, List<Header> headers) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** As {@link #add(long, byte[], byte[], List)} at a chosen delta, larger than the last one. */
  public void addAtDelta(int offsetDelta, long timestamp, byte[] key, byte[] value, List<Header> headers) {
    throw new UnsupportedOperationException("skeleton");
  }

  public int recordCount() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Plain bytes so far, header included. */
  public int sizeBytes() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Largest timestamp added; -1 where none was. */
  public long maxTimestamp() {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * Ends the batch: compresses, fills the header, computes the CRC.
   *
   * @return the batch, position to limit; valid until the next {@code begin}
   */
  public ByteBuffer finish(long baseOffset, int partitionLeaderEpoch) {
    throw new UnsupportedOperationException("skeleton");
  }
}
