package dev.rowlog.engine.cleaner.map;

import java.nio.ByteBuffer;

/**
 * Spreads keys over the offset map. Equal keys have equal hashes; nothing else is asked of it: the map compares
 * real key bytes.
 */
public interface KeyHash {

  /** Hash of a key of up to {@link KeyGroup#INLINE_BYTES} bytes, given as words padded with zeros. */
  long hash(long word0, long word1, long word2, int length);

  /** Hash of a longer key in a big-endian buffer. */
  long hash(ByteBuffer data, int position, int length);
}
