package dev.rowlog.connector.retry;

import java.time.Duration;

/**
 * How long to pause before another attempt: 1 s, doubled with each failure in a row, up to 60 s. Pure.
 *
 * @param failures in a row so far
 */
public record Backoff(int failures) {
  public static final Duration FIRST = Duration.ofSeconds(1);
  public static final Duration LONGEST = Duration.ofSeconds(60);
  private static final int DOUBLINGS = 6;

  public static Backoff none() {
    return new Backoff(0);
  }

  public Backoff afterFailure() {
    return new Backoff(failures + 1);
  }

  /** Zero before the first failure. */
  public Duration pause() {
    if (failures == 0) {
      return Duration.ZERO;
    }
    Duration doubled = FIRST.multipliedBy(1L << Math.min(failures - 1, DOUBLINGS));
    return doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
  }
}
