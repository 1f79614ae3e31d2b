package dev.rowlog.engine.record;

import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * A read view over one encoded batch in a buffer; reused. One thread.
 *
 * <p>Every field is read from the bytes when asked. Nothing is allocated while {@link #wrap} gets the same buffer.
 */
public final class RecordBatch {
  private final CRC32C crc = new CRC32C();
  private ByteBuffer buffer;

  /** Shares the bytes of {@link #buffer} with position, limit and (big-endian) order of its own. */
  private ByteBuffer bytes;

  private int start;

  /**
   * Moves the view to the batch that starts at {@code position}; the whole batch must lie below the buffer's limit.
   * The buffer is neither copied nor moved.
   */
  public RecordBatch wrap(ByteBuffer buffer, int position) {
    if (this.buffer != buffer) {
      this.buffer = buffer;
      this.bytes = buffer.duplicate().clear();
    }
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

  /** One past the last byte of the batch in {@link #buffer()}. */
  public int end() {
    return start + sizeBytes();
  }

  public long baseOffset() {
    return bytes.getLong(start + RecordBatchLayout.BASE_OFFSET);
  }

  /** Base offset plus last offset delta; kept by compaction even where that record is gone. Inclusive. */
  public long lastOffset() {
    return baseOffset() + lastOffsetDelta();
  }

  public long nextOffset() {
    return lastOffset() + 1;
  }

  /** Whole size, header included. */
  public int sizeBytes() {
    return bytes.getInt(start + RecordBatchLayout.BATCH_LENGTH) + RecordBatchLayout.LOG_OVERHEAD;
  }

  public BatchAttributes attributes() {
    return new BatchAttributes(attributeBits());
  }

  public short attributeBits() {
    return bytes.getShort(start + RecordBatchLayout.ATTRIBUTES);
  }

  public byte magic() {
    return bytes.get(start + RecordBatchLayout.MAGIC);
  }

  public int lastOffsetDelta() {
    return bytes.getInt(start + RecordBatchLayout.LAST_OFFSET_DELTA);
  }

  public int partitionLeaderEpoch() {
    return bytes.getInt(start + RecordBatchLayout.PARTITION_LEADER_EPOCH);
  }

  /** As stored: the delete horizon where attribute bit 6 is set. */
  public long baseTimestamp() {
    return bytes.getLong(start + RecordBatchLayout.BASE_TIMESTAMP);
  }

  public long maxTimestamp() {
    return bytes.getLong(start + RecordBatchLayout.MAX_TIMESTAMP);
  }

  public long producerId() {
    return bytes.getLong(start + RecordBatchLayout.PRODUCER_ID);
  }

  public short producerEpoch() {
    return bytes.getShort(start + RecordBatchLayout.PRODUCER_EPOCH);
  }

  public int baseSequence() {
    return bytes.getInt(start + RecordBatchLayout.BASE_SEQUENCE);
  }

  /** Records in the batch; 0 for a header-only batch. */
  public int recordCount() {
    return bytes.getInt(start + RecordBatchLayout.RECORD_COUNT);
  }

  public int storedCrc() {
    return bytes.getInt(start + RecordBatchLayout.CRC);
  }

  /** The CRC-32C of what lies between the CRC field and the end. */
  public int computedCrc() {
    crc.reset();
    crc.update(bytes.limit(end()).position(start + RecordBatchLayout.ATTRIBUTES));
    bytes.clear();
    return (int) crc.getValue();
  }

  /**
   * Checks magic, length, CRC and the counts that a CRC cannot vouch for.
   *
   * @param file and {@code position}: where the batch was read, for the message
   * @throws CorruptLogException where the bytes are not those that were written
   * @throws UnsupportedFormatException for magic 0 and 1
   */
  public void ensureValid(Path file, long position) {
    int available = buffer.limit() - start;
    if (available < RecordBatchLayout.HEADER_SIZE) {
      throw new CorruptLogException(
          file, position, "a batch header has " + RecordBatchLayout.HEADER_SIZE + " bytes, found " + available);
    }
    ensureMagic(file, position);
    int size = sizeBytes();
    if (size < RecordBatchLayout.HEADER_SIZE || size > available) {
      throw new CorruptLogException(
          file, position, "batch size " + size + " is outside " + RecordBatchLayout.HEADER_SIZE + " to " + available);
    }
    if (storedCrc() != computedCrc()) {
      throw new CorruptLogException(
          file,
          position,
          "batch CRC mismatch (base offset " + baseOffset() + "): stored 0x" + hex(storedCrc()) + ", computed 0x"
              + hex(computedCrc()));
    }
    if (lastOffsetDelta() < 0 || recordCount() < 0 || recordCount() - 1L > lastOffsetDelta()) {
      throw new CorruptLogException(
          file,
          position,
          "a batch of " + recordCount() + " records cannot have the last offset delta " + lastOffsetDelta()
              + " (base offset " + baseOffset() + ")");
    }
  }

  private void ensureMagic(Path file, long position) {
    byte magic = magic();
    if (magic == 0 || magic == 1) {
      throw new UnsupportedFormatException(
          file + " at position " + position + ": message format version " + magic
              + " of Kafka before 0.11 is not read, only version 2; let Kafka 3.x rewrite the topic first");
    }
    if (magic != RecordBatchLayout.MAGIC_V2) {
      throw new CorruptLogException(file, position, "batch magic is " + magic + ", expected 2");
    }
  }

  private static String hex(int crc) {
    return String.format(Locale.ROOT, "%08x", crc);
  }
}
