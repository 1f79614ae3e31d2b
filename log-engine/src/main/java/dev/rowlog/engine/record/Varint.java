package dev.rowlog.engine.record;

import java.nio.ByteBuffer;

/** Zig-zag LEB128 integers, as records use them (Kafka {@code ByteUtils}). */
public final class Varint {
  private Varint() {}

  public static int sizeOf(int value) {
    throw new UnsupportedOperationException("skeleton");
  }

  public static int sizeOf(long value) {
    throw new UnsupportedOperationException("skeleton");
  }

  public static void write(int value, ByteBuffer target) {
    throw new UnsupportedOperationException("skeleton");
  }

  public static void write(long value, ByteBuffer target) {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * @throws dev.rowlog.engine.error.InvalidRecordException beyond 5 bytes or the limit
   */
  public static int readInt(ByteBuffer source) {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * @throws dev.rowlog.engine.error.InvalidRecordException beyond 10 bytes or the limit
   */
  public static long readLong(ByteBuffer source) {
    throw new UnsupportedOperationException("skeleton");
  }
}
