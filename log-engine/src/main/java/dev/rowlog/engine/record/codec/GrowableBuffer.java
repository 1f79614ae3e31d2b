package dev.rowlog.engine.record.codec;

import dev.rowlog.engine.error.RecordTooLargeException;
import java.nio.ByteBuffer;

/**
 * A direct, big-endian buffer that grows by doubling and is reused. One thread.
 */
public final class GrowableBuffer {
  /** Bytes at which it grows no more: what a Java buffer can hold. */
  public static final int MAX_BYTES = Integer.MAX_VALUE - 8;

  /** A buffer that one large batch has made larger than this gives its memory back when it is emptied. */
  private static final int KEPT_BYTES = 8 << 20;

  private final int initialBytes;
  private ByteBuffer buffer;

  public GrowableBuffer(int initialBytes) {
    this.initialBytes = initialBytes;
    this.buffer = ByteBuffer.allocateDirect(initialBytes);
  }

  /** The buffer as it is now; stale after the next {@link #ensureRemaining}. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /** Empties it; returns the buffer as it is now, which is a smaller one after a large batch. */
  public ByteBuffer clear() {
    if (buffer.capacity() > Math.max(initialBytes, KEPT_BYTES)) {
      buffer = ByteBuffer.allocateDirect(initialBytes);
    }
    return buffer.clear();
  }

  /**
   * Makes room for {@code bytes} more after the position, keeping what lies before it; the limit becomes the capacity.
   *
   * @return the buffer as it is now
   * @throws RecordTooLargeException where that is more than {@link #MAX_BYTES}
   */
  public ByteBuffer ensureRemaining(int bytes) {
    int position = buffer.position();
    if (buffer.capacity() - position >= bytes) {
      return buffer.limit(buffer.capacity());
    }
    long needed = (long) position + bytes;
    if (needed > MAX_BYTES) {
      throw new RecordTooLargeException("the buffer of a batch", needed, MAX_BYTES);
    }
    ByteBuffer larger = allocate((int) needed, (int) Math.min(MAX_BYTES, Math.max(needed, 2L * buffer.capacity())));
    buffer.flip();
    larger.put(buffer);
    buffer = larger;
    return larger;
  }

  private static ByteBuffer allocate(int needed, int wanted) {
    try {
      return ByteBuffer.allocateDirect(wanted);
    } catch (OutOfMemoryError e) {
      if (wanted == needed) {
        throw e;
      }
      // Doubling only saves copies.
      return ByteBuffer.allocateDirect(needed);
    }
  }
}
