package dev.rowlog.engine;

import java.util.Random;

/**
 * Runs a property once a seed: 1 to {@code count}, or only the one of {@code -Dseed=}. A failure names its seed.
 */
public final class Seeds {
  /** What must hold for whatever the generator gives. */
  @FunctionalInterface
  public interface Property {
    void check(Random random) throws Exception;
  }

  private Seeds() {}

  public static void forEach(int count, Property property) {
    Long only = Long.getLong("seed");
    if (only != null) {
      check(only, property);
      return;
    }
    for (long seed = 1; seed <= count; seed++) {
      check(seed, property);
    }
  }

  /** A generator whose first draws differ between neighbouring seeds, which those of {@link Random} do not. */
  public static Random random(long seed) {
    long mixed = (seed + 1) * 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return new Random(mixed ^ mixed >>> 31);
  }

  private static void check(long seed, Property property) {
    try {
      property.check(random(seed));
    } catch (Throwable e) {
      throw new AssertionError("failed with seed " + seed + " (rerun with -Dseed=" + seed + "): " + e.getMessage(), e);
    }
  }
}
