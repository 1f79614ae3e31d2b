package dev.rowlog.engine.record.codec;

import dev.rowlog.engine.error.InvalidRecordException;
import java.nio.ByteBuffer;

/**
 * Where a codec puts plain bytes: at the position of a {@link GrowableBuffer}, up to a bound. One thread.
 *
 * <p>Invariant: the codec asks for room in steps that its input has earned, so the memory follows the plain bytes, not
 * a claim.
 */
public final class PlainOutput {
  private final String codec;
  private final GrowableBuffer target;
  private final int start;
  private final int maxBytes;

  /**
   * @param codec its name, for messages
   * @param maxBytes plain bytes at which to give up
   */
  public PlainOutput(String codec, GrowableBuffer target, int maxBytes) {
    this.codec = codec;
    this.target = target;
    this.start = target.buffer().position();
    this.maxBytes = maxBytes;
  }

  /**
   * Room for exactly {@code bytes} more.
   *
   * @throws InvalidRecordException where that is past the bound
   */
  public ByteBuffer reserveExactly(int bytes) {
    if (bytes > left()) {
      throw tooLarge();
    }
    return target.ensureRemaining(bytes);
  }

  /** Room for {@code bytes} more, or less where the bound comes before; the limit is the bound or the capacity. */
  public ByteBuffer reserveUpTo(int bytes) {
    int left = left();
    ByteBuffer buffer = target.ensureRemaining(Math.min(bytes, left));
    return buffer.limit((int) Math.min(buffer.capacity(), (long) buffer.position() + left));
  }

  /** Plain bytes that may still come. */
  public int left() {
    return maxBytes - (target.buffer().position() - start);
  }

  public InvalidRecordException malformed(String problem) {
    return new InvalidRecordException("the records are not " + codec + " data: " + problem);
  }

  public InvalidRecordException tooLarge() {
    return new InvalidRecordException(
        "the records have more than " + maxBytes + " bytes when decompressed (" + codec + ")");
  }
}
