package dev.rowlog.engine.record.codec;

import dev.rowlog.engine.error.InvalidRecordException;
import java.nio.ByteBuffer;

/**
 * A direct, big-endian buffer that grows by doubling and is reused. One thread.
 */
public final class GrowableBuffer {
  /** Bytes at which it grows no more: what a Java buffer can hold. */
  public static final int MAX_BYTES = Integer.MAX_VALUE - 8;

  private ByteBuffer buffer;

  public GrowableBuffer(int initialBytes) {
    this.buffer = ByteBuffer.allocateDirect(initialBytes);
  }

  /** The buffer as it is now; stale after the next {@link #ensureRemaining}. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /**
   * Makes room for {@code bytes} more after the position, keeping what lies before it; the limit becomes the capacity.
   *
   * @return the buffer as it is now
   * @throws InvalidRecordException where that is more than {@link #MAX_BYTES}
   */
  public ByteBuffer ensureRemaining(int bytes) {
    int position = buffer.position();
    if (buffer.capacity() - position >= bytes) {
      return buffer.limit(buffer.capacity());
    }
    long needed = (long) position + bytes;
    if (needed > MAX_BYTES) {
      throw new InvalidRecordException(
          "a buffer of " + needed + " bytes is needed, at most " + MAX_BYTES + " are possible");
    }
    int capacity = (int) Math.min(MAX_BYTES, Math.max(needed, 2L * buffer.capacity()));
    ByteBuffer larger = ByteBuffer.allocateDirect(capacity);
    buffer.flip();
    larger.put(buffer);
    buffer = larger;
    return larger;
  }
}
