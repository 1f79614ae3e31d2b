package dev.rowlog.engine.record;

import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.error.RecordTooLargeException;
import dev.rowlog.engine.record.codec.GrowableBuffer;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Builds one batch at a time in a buffer that is reused. One thread.
 *
 * <p>Use: {@code begin()}, {@code add(...)} any number of times, {@code finish(baseOffset)}; {@code
 * PartitionLog.append} does the last.
 *
 * <p>The base timestamp is the first record's, as in Kafka's {@code MemoryRecordsBuilder}; there is no producer state.
 */
public final class RecordBatchEncoder {
  private static final int INITIAL_BYTES = 16 * 1024;

  /** The attribute byte of a record: no bit is in use. */
  private static final byte RECORD_ATTRIBUTES = 0;

  private final Compression compression;
  private final int maxBatchBytes;
  private final GrowableBuffer plain = new GrowableBuffer(INITIAL_BYTES);
  private final GrowableBuffer compressed;
  private int recordCount;
  private int lastOffsetDelta;
  private long baseTimestamp;
  private long maxTimestamp;
  private boolean hasRecordWithoutKey;

  public RecordBatchEncoder(Compression compression) {
    this(compression, RecordBatchLayout.MAX_BATCH_BYTES);
  }

  /**
   * @param maxBatchBytes largest batch, before and after compression, its header included; at most {@link
   *     RecordBatchLayout#MAX_BATCH_BYTES}
   */
  public RecordBatchEncoder(Compression compression, int maxBatchBytes) {
    if (maxBatchBytes < RecordBatchLayout.HEADER_SIZE || maxBatchBytes > RecordBatchLayout.MAX_BATCH_BYTES) {
      throw new IllegalArgumentException("maxBatchBytes " + maxBatchBytes + " is outside "
          + RecordBatchLayout.HEADER_SIZE + " to " + RecordBatchLayout.MAX_BATCH_BYTES);
    }
    this.maxBatchBytes = maxBatchBytes;
    this.compression = compression;
    this.compressed = compression == Compression.NONE ? plain : new GrowableBuffer(INITIAL_BYTES);
    begin();
  }

  public Compression compression() {
    return compression;
  }

  /** Forgets what was added. */
  public final void begin() {
    plain.clear().position(RecordBatchLayout.RECORDS);
    recordCount = 0;
    lastOffsetDelta = -1;
    baseTimestamp = BatchHeader.NO_TIMESTAMP;
    maxTimestamp = BatchHeader.NO_TIMESTAMP;
    hasRecordWithoutKey = false;
  }

  /**
   * Adds a record at the next offset (delta 0, 1, 2 ...).
   *
   * @param timestamp ms since the epoch
   * @param key may be null; neither array is kept
   * @param value null for a tombstone
   * @throws RecordTooLargeException where the batch would pass its bound; it is as before then
   */
  public void add(long timestamp, byte[] key, byte[] value, List<Header> headers) {
    addAtDelta(lastOffsetDelta + 1, timestamp, key, value, headers);
  }

  /** As {@link #add(long, byte[], byte[], List)} at a chosen delta, larger than the last one. */
  public void addAtDelta(int offsetDelta, long timestamp, byte[] key, byte[] value, List<Header> headers) {
    if (offsetDelta <= lastOffsetDelta) {
      throw new InvalidRecordException(
          "offset delta " + offsetDelta + " does not follow " + lastOffsetDelta + ": offsets of a batch rise");
    }
    if (timestamp < BatchHeader.NO_TIMESTAMP) {
      throw new InvalidRecordException("timestamp " + timestamp + " is negative: the format knows none before 1970");
    }
    long base = recordCount == 0 ? timestamp : baseTimestamp;
    long bodySize = bodySize(timestamp - base, offsetDelta, key, value, headers);
    long size = plain.buffer().position() + Varint.sizeOf((int) Math.min(bodySize, Integer.MAX_VALUE)) + bodySize;
    if (size > maxBatchBytes) {
      throw new RecordTooLargeException("a batch with a record of " + bodySize + " bytes in it", size, maxBatchBytes);
    }
    ByteBuffer out = plain.ensureRemaining((int) bodySize + Varint.MAX_INT_BYTES);
    Varint.write((int) bodySize, out);
    out.put(RECORD_ATTRIBUTES);
    Varint.write(timestamp - base, out);
    Varint.write(offsetDelta, out);
    write(key, out);
    write(value, out);
    Varint.write(headers.size(), out);
    for (int i = 0; i < headers.size(); i++) {
      write(headers.get(i).keyBytes(), out);
      write(headers.get(i).value(), out);
    }
    recordCount++;
    lastOffsetDelta = offsetDelta;
    baseTimestamp = base;
    maxTimestamp = Math.max(maxTimestamp, timestamp);
    hasRecordWithoutKey |= key == null;
  }

  private static long bodySize(long timestampDelta, int offsetDelta, byte[] key, byte[] value, List<Header> headers) {
    long size = Byte.BYTES + Varint.sizeOf(timestampDelta) + Varint.sizeOf(offsetDelta);
    size += sizeOf(key) + sizeOf(value) + Varint.sizeOf(headers.size());
    for (int i = 0; i < headers.size(); i++) {
      size += sizeOf(headers.get(i).keyBytes()) + sizeOf(headers.get(i).value());
    }
    return size;
  }

  private static long sizeOf(byte[] bytes) {
    return bytes == null ? Varint.sizeOf(-1) : (long) Varint.sizeOf(bytes.length) + bytes.length;
  }

  private static void write(byte[] bytes, ByteBuffer out) {
    if (bytes == null) {
      Varint.write(-1, out);
    } else {
      Varint.write(bytes.length, out);
      out.put(bytes);
    }
  }

  public int recordCount() {
    return recordCount;
  }

  /** True where one of the records has no key, which a compacted log does not take. */
  public boolean hasRecordWithoutKey() {
    return hasRecordWithoutKey;
  }

  /** Offset delta of the newest record; -1 where there is none. */
  public int lastOffsetDelta() {
    return lastOffsetDelta;
  }

  /** Plain bytes so far, header included. */
  public int sizeBytes() {
    return plain.buffer().position();
  }

  /** Largest timestamp added; -1 where none was. */
  public long maxTimestamp() {
    return maxTimestamp;
  }

  /**
   * Ends the batch: compresses, fills the header, computes the CRC. May be called again with another offset.
   *
   * @throws RecordTooLargeException where it is larger compressed, and passes its bound by that
   * @return the batch, position to limit; valid until the next {@code begin}, {@code add} or {@code finish}
   */
  public ByteBuffer finish(long baseOffset, int partitionLeaderEpoch) {
    if (recordCount == 0) {
      throw new IllegalStateException("a batch without records cannot be finished");
    }
    ByteBuffer records = plain.buffer();
    if (compression != Compression.NONE) {
      ByteBuffer source = records.duplicate().flip().position(RecordBatchLayout.RECORDS);
      compressed.clear().position(RecordBatchLayout.RECORDS);
      compression.compress(source, compressed);
    }
    ByteBuffer batch = compressed.buffer();
    int size = batch.position();
    if (size > maxBatchBytes) {
      throw new RecordTooLargeException("a batch compressed by " + compression.configName(), size, maxBatchBytes);
    }
    new BatchHeader(
        baseOffset,
        partitionLeaderEpoch,
        BatchAttributes.of(compression),
        lastOffsetDelta,
        baseTimestamp,
        maxTimestamp,
        BatchHeader.NO_PRODUCER_ID,
        BatchHeader.NO_PRODUCER_EPOCH,
        BatchHeader.NO_SEQUENCE,
        recordCount)
        .writeTo(batch, 0, size);
    return batch.duplicate().limit(size).position(0);
  }
}
