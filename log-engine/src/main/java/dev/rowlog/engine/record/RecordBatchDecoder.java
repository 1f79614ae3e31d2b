package dev.rowlog.engine.record;

import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.record.codec.GrowableBuffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Walks the records of one batch at a time, decompressing into a buffer of its own that is reused. One thread.
 *
 * <p>Between {@link #next()} calls the fields of the current record can be read in place, without an object a record.
 * Of malformed bytes it reads no more than the batch has: a length or count that lies ends in {@link
 * InvalidRecordException}.
 */
public final class RecordBatchDecoder {

  /** Default bound of the plain size of one batch. */
  public static final int NO_LIMIT = RecordBatchLayout.MAX_BATCH_BYTES;

  private static final int INITIAL_BYTES = 16 * 1024;

  private final int maxPlainBytes;
  private GrowableBuffer plain;

  /** The last batch's buffer, and a view of it with position, limit and order of its own. */
  private ByteBuffer batchBuffer;

  private ByteBuffer batchBytes;

  /** What the records are read from: {@link #batchBytes}, or the plain bytes. */
  private ByteBuffer data;

  private long baseOffset;
  private long baseTimestamp;
  private long appendTime;
  private boolean isLogAppendTime;
  private int lastOffsetDelta;
  private int recordsLeft;
  private int dataEnd;

  /** Below it varints of four bytes may be read, though they end beyond the record. */
  private int shortEnd;

  private int recordStart;
  private int recordEnd;
  private int offsetDelta;
  private long timestamp;
  private int bodyPosition;
  private int keyLength;
  private int keyPosition;
  private int valueLength;
  private int valuePosition;
  private int headerCount;
  private int headersPosition;

  private final FieldReader fields = new FieldReader();

  public RecordBatchDecoder() {
    this(NO_LIMIT);
  }

  /**
   * @param maxPlainBytes plain bytes of a batch at which {@link #open} gives up
   */
  public RecordBatchDecoder(int maxPlainBytes) {
    this.maxPlainBytes = maxPlainBytes;
  }

  /**
   * Starts before the first record of {@code batch}. Does not check the CRC: the caller has.
   *
   * @throws InvalidRecordException where the records do not decode
   */
  public void open(RecordBatch batch) {
    int records = batch.start() + RecordBatchLayout.RECORDS;
    int end = batch.end();
    if (end < records || end > batch.buffer().limit()) {
      throw new InvalidRecordException(
          "the batch at offset " + batch.baseOffset() + " claims " + batch.sizeBytes() + " bytes, there are "
              + (batch.buffer().limit() - batch.start()));
    }
    BatchAttributes attributes = batch.attributes();
    baseOffset = batch.baseOffset();
    baseTimestamp = batch.baseTimestamp();
    appendTime = batch.maxTimestamp();
    isLogAppendTime = attributes.isLogAppendTime();
    lastOffsetDelta = batch.lastOffsetDelta();
    recordsLeft = batch.recordCount();
    offsetDelta = -1;
    if (recordsLeft < 0) {
      throw invalid("it claims " + recordsLeft + " records");
    }
    useBuffer(batch.buffer());
    Compression compression = attributes.compression();
    if (compression == Compression.NONE || records == end) {
      data = batchBytes;
      recordEnd = records;
      dataEnd = end;
    } else {
      decompress(compression, records, end);
    }
    shortEnd = Math.min(dataEnd, data.limit() - Long.BYTES);
  }

  private void useBuffer(ByteBuffer buffer) {
    if (batchBuffer != buffer) {
      batchBuffer = buffer;
      batchBytes = buffer.duplicate();
    }
    batchBytes.clear();
  }

  private void decompress(Compression compression, int from, int to) {
    if (plain == null) {
      plain = new GrowableBuffer(INITIAL_BYTES);
    }
    plain.clear();
    try {
      compression.decompress(batchBytes.limit(to).position(from), plain, maxPlainBytes);
    } catch (InvalidRecordException e) {
      throw invalid(e.getMessage());
    }
    batchBytes.clear();
    dataEnd = plain.buffer().position();
    data = plain.ensureRemaining(RecordBatchLayout.SPARE_BYTES);
    recordEnd = 0;
  }

  /**
   * Moves to the next record; false at the end, having checked that the records fill the batch exactly.
   *
   * @throws InvalidRecordException where the bytes are not a record
   */
  public boolean next() {
    if (recordsLeft == 0) {
      ensureFilled();
      return false;
    }
    if (!nextShort()) {
      nextOfAnyKind();
    }
    return true;
  }

  /**
   * As {@link #next}, but reads the record's length only: of its fields just {@link #recordStart} and {@link
   * #recordEnd} are those of this record.
   *
   * @throws InvalidRecordException where the length cannot be a record's
   */
  public boolean skip() {
    if (recordsLeft == 0) {
      ensureFilled();
      return false;
    }
    if (!skipShort()) {
      readRecordLength();
    }
    return true;
  }

  /** As {@link #nextShort} for the length alone. */
  private boolean skipShort() {
    int start = recordEnd;
    if (start >= shortEnd) {
      return false;
    }
    long length = Varint.readShort(data, start);
    int at = (int) length;
    int end = at + Varint.unZigZagShort(length);
    if (length < 0 || end < at || end > dataEnd) {
      return false;
    }
    recordsLeft--;
    recordStart = start;
    recordEnd = end;
    return true;
  }

  private void ensureFilled() {
    if (recordEnd != dataEnd) {
      throw invalid((dataEnd - recordEnd) + " bytes follow its last record");
    }
  }

  /**
   * The way that most records go, on local variables: every varint of up to four bytes. False, with nothing changed,
   * where the record is of another kind or not right; {@link #nextOfAnyKind} tells which.
   */
  private boolean nextShort() {
    ByteBuffer bytes = data;
    int lastEnd = shortEnd;
    int start = recordEnd;
    if (start >= lastEnd) {
      return false;
    }
    long length = Varint.readShort(bytes, start);
    int at = (int) length;
    int end = at + Varint.unZigZagShort(length);
    if (length < 0 || end <= at || end > lastEnd) {
      return false;
    }
    long timestampDelta = Varint.readShort(bytes, at + 1);
    long delta = timestampDelta < 0 ? timestampDelta : Varint.readShort(bytes, (int) timestampDelta);
    if (delta < 0 || (int) delta >= end) {
      return false;
    }
    int body = (int) delta;
    long key = Varint.readShort(bytes, body);
    int valueAt = (int) key + Math.max(Varint.unZigZagShort(key), 0);
    if (key < 0 || valueAt >= end || valueAt < body) {
      return false;
    }
    long value = Varint.readShort(bytes, valueAt);
    int headersAt = (int) value + Math.max(Varint.unZigZagShort(value), 0);
    if (value < 0 || headersAt >= end || headersAt < valueAt) {
      return false;
    }
    int headers = bytes.get(headersAt);
    if (headers == 0 ? headersAt != end - 1 : FieldReader.shortHeadersEnd(bytes, headersAt + 1, end, headers) != end) {
      return false;
    }
    int newDelta = Varint.unZigZagShort(delta);
    if (newDelta <= offsetDelta || newDelta > lastOffsetDelta || Varint.unZigZagShort(key) < -1
        || Varint.unZigZagShort(value) < -1) {
      return false;
    }
    recordsLeft--;
    recordStart = start;
    recordEnd = end;
    offsetDelta = newDelta;
    timestamp = isLogAppendTime ? appendTime : baseTimestamp + Varint.unZigZagShort(timestampDelta);
    bodyPosition = body;
    keyLength = Varint.unZigZagShort(key);
    keyPosition = (int) key;
    valueLength = Varint.unZigZagShort(value);
    valuePosition = (int) value;
    headerCount = headers >>> 1;
    headersPosition = headersAt + 1;
    return true;
  }

  private void nextOfAnyKind() {
    readRecordLength();
    readFields();
  }

  private void readRecordLength() {
    recordStart = recordEnd;
    fields.start(data, recordStart, dataEnd, baseOffset, offsetDelta);
    int length = fields.readInt();
    if (length < 0 || length > fields.remaining()) {
      throw invalid("the record after offset delta " + offsetDelta + " claims " + length + " bytes, "
          + fields.remaining() + " are left");
    }
    recordEnd = fields.position() + length;
    fields.endAt(recordEnd);
    recordsLeft--;
  }

  private void readFields() {
    fields.skip(Byte.BYTES);
    long timestampDelta = fields.readLong();
    timestamp = isLogAppendTime ? appendTime : baseTimestamp + timestampDelta;
    int delta = fields.readInt();
    if (delta <= offsetDelta || delta > lastOffsetDelta) {
      throw invalid(
          "offset delta " + delta + " follows " + offsetDelta + " in a batch that ends at " + lastOffsetDelta);
    }
    offsetDelta = delta;
    bodyPosition = fields.position();
    keyLength = fields.readLength();
    keyPosition = fields.position();
    fields.skip(Math.max(keyLength, 0));
    valueLength = fields.readLength();
    valuePosition = fields.position();
    fields.skip(Math.max(valueLength, 0));
    headerCount = fields.readInt();
    headersPosition = fields.position();
    if (headerCount != 0) {
      fields.skipHeaders(headerCount);
    }
    if (fields.remaining() != 0) {
      throw invalid(fields.remaining() + " bytes follow the fields of the record at offset delta " + offsetDelta);
    }
  }

  public long offset() {
    return baseOffset + offsetDelta;
  }

  /** Offset less the batch's base offset; stays the same when compaction rewrites the batch. */
  public int offsetDelta() {
    return offsetDelta;
  }

  /**
   * The record's own timestamp, also where the batch carries a delete horizon; the append time where that is the
   * batch's kind.
   */
  public long timestamp() {
    return timestamp;
  }

  /**
   * The buffer that positions of the current record refer to: the batch's own bytes, or the plain ones. For absolute
   * gets.
   */
  public ByteBuffer data() {
    return data;
  }

  /** Bytes of the key, -1 for none. */
  public int keyLength() {
    return keyLength;
  }

  public int keyPosition() {
    return keyPosition;
  }

  /** Bytes of the value, -1 for a tombstone. */
  public int valueLength() {
    return valueLength;
  }

  public int valuePosition() {
    return valuePosition;
  }

  public int headerCount() {
    return headerCount;
  }

  /** Where the record (its length varint) starts in {@link #data()}. */
  public int recordStart() {
    return recordStart;
  }

  /**
   * Where the part starts (its key length) that no rewriting changes: key, value and headers, up to {@link
   * #recordEnd()}.
   */
  public int bodyPosition() {
    return bodyPosition;
  }

  /** One past the record's last byte in {@link #data()}. */
  public int recordEnd() {
    return recordEnd;
  }

  /** The current record as an object with copies of its bytes. */
  public Record record() {
    return new Record(offset(), timestamp, copy(keyPosition, keyLength), copy(valuePosition, valueLength), headers());
  }

  private List<Header> headers() {
    if (headerCount == 0) {
      return List.of();
    }
    List<Header> headers = new ArrayList<>(headerCount);
    fields.start(data, headersPosition, recordEnd, baseOffset, offsetDelta);
    for (int i = 0; i < headerCount; i++) {
      headers.add(new Header(new String(readBytes(), StandardCharsets.UTF_8), readBytes()));
    }
    return headers;
  }

  private byte[] readBytes() {
    int length = fields.readLength();
    byte[] bytes = copy(fields.position(), length);
    fields.skip(Math.max(length, 0));
    return bytes;
  }

  private byte[] copy(int position, int length) {
    if (length < 0) {
      return null;
    }
    byte[] bytes = new byte[length];
    data.get(position, bytes);
    return bytes;
  }

  private InvalidRecordException invalid(String problem) {
    return new InvalidRecordException("malformed batch at offset " + baseOffset + ": " + problem);
  }
}
