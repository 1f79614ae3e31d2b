package dev.rowlog.engine.segment.index;

import java.nio.ByteBuffer;

/**
 * The zeros at the end of an index file that Kafka has open: it reserves {@code segment.index.bytes} and trims when
 * it closes.
 */
final class ReservedSpace {
  private ReservedSpace() {}

  /** Consumes the rest. */
  static boolean isZero(ByteBuffer rest) {
    while (rest.hasRemaining()) {
      if (rest.get() != 0) {
        return false;
      }
    }
    return true;
  }
}
