package dev.rowlog.engine.inspect.verify;

import dev.rowlog.engine.record.RecordBatchDecoder;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Keys that may be there once only, below an end. One thread. */
final class UniqueKeys {
  private final long endOffset;
  private final Map<ByteBuffer, Long> offsets = new HashMap<>();

  /**
   * @param endOffset exclusive; 0 checks nothing
   */
  UniqueKeys(long endOffset) {
    this.endOffset = endOffset;
  }

  /** The offset of an earlier record of the same key, where both lie below the end. */
  OptionalLong earlier(RecordBatchDecoder current) {
    if (current.offset() >= endOffset || current.keyLength() < 0) {
      return OptionalLong.empty();
    }
    byte[] key = new byte[current.keyLength()];
    current.data().get(current.keyPosition(), key);
    Long earlier = offsets.put(ByteBuffer.wrap(key), current.offset());
    return earlier == null ? OptionalLong.empty() : OptionalLong.of(earlier);
  }
}
