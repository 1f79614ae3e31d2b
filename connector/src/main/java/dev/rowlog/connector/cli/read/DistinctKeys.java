package dev.rowlog.connector.cli.read;

import java.nio.ByteBuffer;

/**
 * Counts different keys in 16 bytes each, by a seeded 128-bit hash: two keys that fall together would count once,
 * which at a billion keys has a chance
 * of one in 10^20. One thread.
 */
final class DistinctKeys {
  private static final long MULTIPLIER_A = 0x9E3779B97F4A7C15L;
  private static final long MULTIPLIER_B = 0xC2B2AE3D27D4EB4FL;

  private final long seed;
  private long[] slots = new long[2 << 12];
  private long count;

  DistinctKeys(long seed) {
    this.seed = seed;
  }

  long count() {
    return count;
  }

  /**
   * @param length -1 for no key: counts as a key of its own
   */
  void add(ByteBuffer data, int position, int length) {
    long a = seed ^ length;
    long b = Long.rotateLeft(seed, 32) ^ length;
    for (int i = 0; i < length; i++) {
      int next = data.get(position + i);
      a = (a ^ next) * MULTIPLIER_A;
      a ^= a >>> 32;
      b = (b + next) * MULTIPLIER_B;
      b ^= b >>> 29;
    }
    // 0, 0 marks an empty slot.
    if (put(mixed(a), mixed(b) | 1)) {
      count++;
      if (count * 3 > slots.length) {
        grow();
      }
    }
  }

  private static long mixed(long hash) {
    long mixed = (hash ^ hash >>> 33) * 0xFF51AFD7ED558CCDL;
    return mixed ^ mixed >>> 33;
  }

  private boolean put(long a, long b) {
    int mask = slots.length / 2 - 1;
    int slot = (int) a & mask;
    while (slots[2 * slot + 1] != 0) {
      if (slots[2 * slot] == a && slots[2 * slot + 1] == b) {
        return false;
      }
      slot = slot + 1 & mask;
    }
    slots[2 * slot] = a;
    slots[2 * slot + 1] = b;
    return true;
  }

  private void grow() {
    long[] old = slots;
    slots = new long[Math.multiplyExact(old.length, 2)];
    for (int i = 0; i < old.length; i += 2) {
      if (old[i + 1] != 0) {
        put(old[i], old[i + 1]);
      }
    }
  }
}
