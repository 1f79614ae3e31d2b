package dev.rowlog.engine.inspect.stats;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The newest offset of each key, by a 64-bit hash of its bytes, up to a number of keys. One thread.
 *
 * <p>Two keys of one hash count as one: good for statistics (one in a hundred million scans of two million keys), not for cleaning.
 */
final class NewestOffsets {
  private static final long EMPTY = -1;
  private static final int INITIAL_SLOTS = 1024;

  private final int maxKeys;
  private long[] hashes = new long[INITIAL_SLOTS];
  private long[] offsets = emptyOffsets(INITIAL_SLOTS);
  private int keys;
  private boolean isOverfull;

  /**
   * @param maxKeys at most 2^29
   */
  NewestOffsets(int maxKeys) {
    this.maxKeys = Math.min(maxKeys, 1 << 29);
  }

  /** Offsets come in rising order. */
  void put(ByteBuffer data, int position, int length, long offset) {
    if (isOverfull) {
      return;
    }
    long hash = hash(data, position, length);
    int slot = slot(hash);
    if (offsets[slot] == EMPTY) {
      if (keys == maxKeys) {
        isOverfull = true;
        return;
      }
      keys++;
    }
    hashes[slot] = hash;
    offsets[slot] = offset;
    if (keys > offsets.length / 2) {
      grow();
    }
  }

  /** True where there were more keys than it may hold: it then knows nothing. */
  boolean isOverfull() {
    return isOverfull;
  }

  void forEachOffset(LongConsumer consumer) {
    Arrays.stream(offsets).filter(offset -> offset != EMPTY).forEach(consumer);
  }

  private int slot(long hash) {
    int mask = offsets.length - 1;
    int slot = (int) (hash >>> 32) & mask;
    while (offsets[slot] != EMPTY && hashes[slot] != hash) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void grow() {
    long[] oldHashes = hashes;
    long[] oldOffsets = offsets;
    hashes = new long[oldHashes.length * 2];
    offsets = emptyOffsets(oldOffsets.length * 2);
    for (int i = 0; i < oldOffsets.length; i++) {
      if (oldOffsets[i] != EMPTY) {
        int slot = slot(oldHashes[i]);
        hashes[slot] = oldHashes[i];
        offsets[slot] = oldOffsets[i];
      }
    }
  }

  private static long[] emptyOffsets(int slots) {
    long[] offsets = new long[slots];
    Arrays.fill(offsets, EMPTY);
    return offsets;
  }

  /** Multiply and fold over words of 8 bytes; the finalizer is that of SplitMix64. */
  private static long hash(ByteBuffer data, int position, int length) {
    long hash = length * 0x9E3779B97F4A7C15L;
    int at = position;
    int end = position + length;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      hash = (hash ^ data.getLong(at)) * 0xBF58476D1CE4E5B9L;
      hash ^= hash >>> 32;
    }
    for (; at < end; at++) {
      hash = (hash ^ data.get(at) & 0xff) * 0x94D049BB133111EBL;
      hash ^= hash >>> 29;
    }
    hash = (hash ^ hash >>> 30) * 0xBF58476D1CE4E5B9L;
    hash = (hash ^ hash >>> 27) * 0x94D049BB133111EBL;
    return hash ^ hash >>> 31;
  }
}
