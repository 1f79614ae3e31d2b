package dev.rowlog.engine.cleaner.map;

import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/**
 * A fast hash with a random secret, so that nobody can make keys that collide. Immutable.
 *
 * <p>Each step folds a 64 by 64 bit product to 64 bits (as wyhash does; the signed high half mixes as well and is
 * one instruction).
 */
public final class KeyedHash implements KeyHash {
  private final long secret0;
  private final long secret1;
  private final long secret2;
  private final long secret3;

  public KeyedHash(RandomGenerator random) {
    secret0 = random.nextLong();
    secret1 = random.nextLong();
    secret2 = random.nextLong();
    secret3 = random.nextLong();
  }

  @Override
  public long hash(long word0, long word1, long word2, int length) {
    return mix(mix(word0 ^ secret0, word1 ^ secret1) ^ word2 ^ secret2, length ^ secret3);
  }

  @Override
  public long hash(ByteBuffer data, int position, int length) {
    int end = position + length;
    long state = secret2;
    int at = position;
    for (; at + 16 <= end; at += 16) {
      state = mix(data.getLong(at) ^ secret0, data.getLong(at + 8) ^ state ^ secret1);
    }
    // The last 16 bytes, which may overlap what was taken: a long key has more than 24.
    state = mix(data.getLong(end - 16) ^ secret1, data.getLong(end - 8) ^ state ^ secret0);
    return mix(state ^ secret2, length ^ secret3);
  }

  private static long mix(long a, long b) {
    return Math.multiplyHigh(a, b) ^ a * b;
  }
}
