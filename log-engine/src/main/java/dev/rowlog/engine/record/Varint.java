package dev.rowlog.engine.record;

import dev.rowlog.engine.error.InvalidRecordException;
import java.nio.ByteBuffer;

/** Zig-zag LEB128 integers, as records use them (Kafka {@code ByteUtils}). */
public final class Varint {
  /** Bytes of the longest int. */
  public static final int MAX_INT_BYTES = 5;

  /** Bytes of the longest long. */
  public static final int MAX_LONG_BYTES = 10;

  private Varint() {}

  /** Bytes that {@link #write(int, ByteBuffer)} takes, 1 to 5. */
  public static int sizeOf(int value) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(zigZag(value) | 1);
    return (bits + 6) / 7;
  }

  /** Bytes that {@link #write(long, ByteBuffer)} takes, 1 to 10. */
  public static int sizeOf(long value) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(zigZag(value) | 1);
    return (bits + 6) / 7;
  }

  public static void write(int value, ByteBuffer target) {
    int rest = zigZag(value);
    while ((rest & ~0x7f) != 0) {
      target.put((byte) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    target.put((byte) rest);
  }

  public static void write(long value, ByteBuffer target) {
    long rest = zigZag(value);
    while ((rest & ~0x7fL) != 0) {
      target.put((byte) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    target.put((byte) rest);
  }

  /**
   * @throws InvalidRecordException beyond 5 bytes or the limit
   */
  public static int readInt(ByteBuffer source) {
    int raw = 0;
    for (int shift = 0; shift < 7 * MAX_INT_BYTES; shift += 7) {
      byte b = next(source);
      raw |= (b & 0x7f) << shift;
      if (b >= 0) {
        return unZigZag(raw);
      }
    }
    throw tooLong(MAX_INT_BYTES, source.position());
  }

  /**
   * @throws InvalidRecordException beyond 10 bytes or the limit
   */
  public static long readLong(ByteBuffer source) {
    long raw = 0;
    for (int shift = 0; shift < 7 * MAX_LONG_BYTES; shift += 7) {
      byte b = next(source);
      raw |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return unZigZag(raw);
      }
    }
    throw tooLong(MAX_LONG_BYTES, source.position());
  }

  /**
   * A varint of up to four bytes without an object and without a field written: still zig-zag in the upper half ({@link
   * #unZigZagShort}), and where it ends in the lower; negative where it is longer. The caller knows that four bytes can
   * be read.
   */
  static long readShort(ByteBuffer bytes, int at) {
    int b = bytes.get(at);
    if (b >= 0) {
      return (long) b << Integer.SIZE | at + 1;
    }
    int raw = b & 0x7f;
    b = bytes.get(at + 1);
    raw |= (b & 0x7f) << 7;
    if (b >= 0) {
      return (long) raw << Integer.SIZE | at + 2;
    }
    b = bytes.get(at + 2);
    raw |= (b & 0x7f) << 14;
    if (b >= 0) {
      return (long) raw << Integer.SIZE | at + 3;
    }
    b = bytes.get(at + 3);
    raw |= (b & 0x7f) << 21;
    return b >= 0 ? (long) raw << Integer.SIZE | at + 4 : -1;
  }

  /** The value of what {@link #readShort} gave. */
  static int unZigZagShort(long read) {
    return unZigZag((int) (read >>> Integer.SIZE));
  }

  static int zigZag(int value) {
    return value << 1 ^ value >> 31;
  }

  static long zigZag(long value) {
    return value << 1 ^ value >> 63;
  }

  static int unZigZag(int raw) {
    return raw >>> 1 ^ -(raw & 1);
  }

  static long unZigZag(long raw) {
    return raw >>> 1 ^ -(raw & 1);
  }

  static InvalidRecordException tooLong(int maxBytes, int end) {
    return new InvalidRecordException(
        "a varint that ends before position " + end + " is longer than " + maxBytes + " bytes");
  }

  static InvalidRecordException truncated(int end) {
    return new InvalidRecordException("a varint goes on past its end at position " + end);
  }

  private static byte next(ByteBuffer source) {
    if (!source.hasRemaining()) {
      throw truncated(source.position());
    }
    return source.get();
  }
}
