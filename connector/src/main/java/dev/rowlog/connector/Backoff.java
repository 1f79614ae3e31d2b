package dev.rowlog.connector;

import java.time.Duration;

/**
 * How long to pause before a new start: 1 s, doubled with each failure in a row, up to 60 s. Pure.
 *
 * @param failures in a row so far
 */
record Backoff(int failures) {
  static final Duration FIRST = Duration.ofSeconds(1);
  static final Duration LONGEST = Duration.ofSeconds(60);
  private static final int DOUBLINGS = 6;

  static Backoff none() {
    return new Backoff(0);
  }

  Backoff afterFailure() {
    return new Backoff(failures + 1);
  }

  /** Zero before the first failure. */
  Duration pause() {
    if (failures == 0) {
      return Duration.ZERO;
    }
    Duration doubled = FIRST.multipliedBy(1L << Math.min(failures - 1, DOUBLINGS));
    return doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
  }
}
