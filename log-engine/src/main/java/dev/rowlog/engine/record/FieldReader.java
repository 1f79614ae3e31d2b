package dev.rowlog.engine.record;

import dev.rowlog.engine.error.InvalidRecordException;
import java.nio.ByteBuffer;

/**
 * Reads the fields of one record one after another, never beyond its end. Reused; one thread.
 */
final class FieldReader {
  /** The shortest header: a key length and a value length. */
  private static final int MIN_HEADER_BYTES = 2;

  private ByteBuffer data;
  private int cursor;
  private int end;
  private long baseOffset;
  private int offsetDelta;

  /**
   * @param end one past the last byte that may be read
   * @param baseOffset of the batch, and {@code offsetDelta} of the record before: for messages
   */
  void start(ByteBuffer data, int position, int end, long baseOffset, int offsetDelta) {
    this.data = data;
    this.cursor = position;
    this.end = end;
    this.baseOffset = baseOffset;
    this.offsetDelta = offsetDelta;
  }

  /** Where the next field begins. */
  int position() {
    return cursor;
  }

  int remaining() {
    return end - cursor;
  }

  /** Nothing from {@code newEnd} on belongs to the record. */
  void endAt(int newEnd) {
    end = newEnd;
  }

  void skip(int bytes) {
    if (bytes > end - cursor) {
      throw invalid("a field of " + bytes + " bytes goes past the end of the record after offset delta " + offsetDelta);
    }
    cursor += bytes;
  }

  /** A length: -1 for null, or 0 and more. */
  int readLength() {
    int length = readInt();
    if (length < -1) {
      throw invalid("a field of the record after offset delta " + offsetDelta + " has the length " + length);
    }
    return length;
  }

  int readInt() {
    // Most are one byte long.
    if (cursor < end) {
      byte first = data.get(cursor);
      if (first >= 0) {
        cursor++;
        return Varint.unZigZag((int) first);
      }
    }
    return Varint.unZigZag((int) readRaw(Varint.MAX_INT_BYTES));
  }

  long readLong() {
    return Varint.unZigZag(readRaw(Varint.MAX_LONG_BYTES));
  }

  private long readRaw(int maxBytes) {
    int stop = cursor + Math.min(maxBytes, end - cursor);
    long raw = 0;
    int shift = 0;
    for (int at = cursor; at < stop; at++, shift += 7) {
      byte b = data.get(at);
      raw |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        cursor = at + 1;
        return raw;
      }
    }
    throw invalid(
        stop == end
            ? "a varint goes on past the end of the record after offset delta " + offsetDelta
            : "a varint of the record after offset delta " + offsetDelta + " is longer than " + maxBytes + " bytes");
  }

  void skipHeaders(int count) {
    if (count < 0 || count > remaining() / MIN_HEADER_BYTES) {
      throw invalid("the record after offset delta " + offsetDelta + " claims " + count + " headers");
    }
    for (int i = 0; i < count; i++) {
      int length = readLength();
      if (length < 0) {
        throw invalid("a header of the record after offset delta " + offsetDelta + " has no key");
      }
      skip(length);
      skip(Math.max(readLength(), 0));
    }
  }

  /**
   * Where the headers end, of a record whose varints all have up to four bytes; -1 where that cannot be told.
   *
   * @param zigZagCount their number as it stands in the record
   */
  static int shortHeadersEnd(ByteBuffer bytes, int from, int end, int zigZagCount) {
    if (zigZagCount < 0 || (zigZagCount & 1) != 0) {
      return -1;
    }
    int at = from;
    for (int i = zigZagCount >>> 1; i > 0; i--) {
      if (at >= end) {
        return -1;
      }
      long key = Varint.readShort(bytes, at);
      int keyBytes = Varint.unZigZagShort(key);
      int valueAt = (int) key + keyBytes;
      if (key < 0 || keyBytes < 0 || valueAt >= end || valueAt < at) {
        return -1;
      }
      long value = Varint.readShort(bytes, valueAt);
      int valueBytes = Varint.unZigZagShort(value);
      at = (int) value + Math.max(valueBytes, 0);
      if (value < 0 || valueBytes < -1 || at > end || at < valueAt) {
        return -1;
      }
    }
    return at;
  }

  InvalidRecordException invalid(String problem) {
    return new InvalidRecordException("malformed batch at offset " + baseOffset + ": " + problem);
  }
}
