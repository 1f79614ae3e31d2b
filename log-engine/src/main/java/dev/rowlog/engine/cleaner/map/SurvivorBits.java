package dev.rowlog.engine.cleaner.map;

import java.util.Arrays;

/**
 * One bit a record, in the order in which a pass walks them: set while no newer record of its key was seen. Grows
 * as it is used; reused. One thread.
 */
public final class SurvivorBits {
  private long[] words = new long[0];
  private int usedWords;

  /** Sets every bit up to {@code count} again; the array is kept. */
  public void reset() {
    usedWords = 0;
  }

  /** Makes bits up to {@code count} (exclusive) usable; new ones are set. */
  public void ensure(long count) {
    int needed = Math.toIntExact(count + Long.SIZE - 1 >>> 6);
    if (needed > words.length) {
      words = Arrays.copyOf(words,
          (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, Math.max(1024L, 2L * words.length))));
    }
    if (needed > usedWords) {
      Arrays.fill(words, usedWords, needed, -1L);
      usedWords = needed;
    }
  }

  /**
   * @param ordinal as 32 unsigned bits
   */
  public void clear(int ordinal) {
    words[ordinal >>> 6] &= ~(1L << ordinal);
  }

  public boolean isSet(long ordinal) {
    return (words[(int) (ordinal >>> 6)] & 1L << ordinal) != 0;
  }

  /** Bits that are set from {@code from} (inclusive) to {@code end} (exclusive). */
  public long count(long from, long end) {
    if (from >= end) {
      return 0;
    }
    int firstWord = (int) (from >>> 6);
    int lastWord = (int) (end - 1 >>> 6);
    long firstMask = -1L << from;
    long lastMask = -1L >>> -end;
    if (firstWord == lastWord) {
      return Long.bitCount(words[firstWord] & firstMask & lastMask);
    }
    long count = Long.bitCount(words[firstWord] & firstMask) + Long.bitCount(words[lastWord] & lastMask);
    for (int i = firstWord + 1; i < lastWord; i++) {
      count += Long.bitCount(words[i]);
    }
    return count;
  }
}
