package dev.rowlog.engine.record;

import java.nio.ByteBuffer;

/**
 * A direct, big-endian buffer that grows by doubling and is reused. One thread.
 */
public final class GrowableBuffer {
  private ByteBuffer buffer;

  public GrowableBuffer(int initialBytes) {
    this.buffer = ByteBuffer.allocateDirect(initialBytes);
  }

  /** The buffer as it is now; stale after the next {@link #ensureRemaining}. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /** Makes room for {@code bytes} more after the position, keeping what lies before it. */
  public ByteBuffer ensureRemaining(int bytes) {
    throw new UnsupportedOperationException("skeleton");
  }
}
