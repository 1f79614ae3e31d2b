package dev.rowlog.engine.record;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A read view over one encoded batch in a buffer; reused, allocates nothing. One thread.
 */
public final class RecordBatch {
  private ByteBuffer buffer;
  private int start;

  /**
   * Moves the view to the batch that starts at {@code position}; the whole batch must lie below the buffer's limit.
   * The buffer is neither copied nor moved.
   */
  public RecordBatch wrap(ByteBuffer buffer, int position) {
    this.buffer = buffer;
    this.start = position;
    return this;
  }

  /** The buffer that holds the batch. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /** Byte position of the batch in {@link #buffer()}. */
  public int start() {
    return start;
  }

  public long baseOffset() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Base offset plus last offset delta; kept by compaction even where that record is gone. Inclusive. */
  public long lastOffset() {
    throw new UnsupportedOperationException("skeleton");
  }

  public long nextOffset() {
    return lastOffset() + 1;
  }

  /** Whole size, header included. */
  public int sizeBytes() {
    throw new UnsupportedOperationException("skeleton");
  }

  public BatchAttributes attributes() {
    throw new UnsupportedOperationException("skeleton");
  }

  public short attributeBits() {
    throw new UnsupportedOperationException("skeleton");
  }

  public byte magic() {
    throw new UnsupportedOperationException("skeleton");
  }

  public int lastOffsetDelta() {
    throw new UnsupportedOperationException("skeleton");
  }

  public int partitionLeaderEpoch() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** As stored: the delete horizon where attribute bit 6 is set. */
  public long baseTimestamp() {
    throw new UnsupportedOperationException("skeleton");
  }

  public long maxTimestamp() {
    throw new UnsupportedOperationException("skeleton");
  }

  public long producerId() {
    throw new UnsupportedOperationException("skeleton");
  }

  public short producerEpoch() {
    throw new UnsupportedOperationException("skeleton");
  }

  public int baseSequence() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Records in the batch; 0 for a header-only batch. */
  public int recordCount() {
    throw new UnsupportedOperationException("skeleton");
  }

  public int storedCrc() {
    throw new UnsupportedOperationException("skeleton");
  }

  public int computedCrc() {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * Checks magic and CRC.
   *
   * @param file and {@code position}: where the batch was read, for the message
   * @throws dev.rowlog.engine.error.CorruptLogException where the bytes are not those that were written
   * @throws dev.rowlog.engine.error.UnsupportedFormatException for magic 0 and 1
   */
  public void ensureValid(Path file, long position) {
    throw new UnsupportedOperationException("skeleton");
  }
}
