package dev.rowlog.connector.retry;

import java.time.Duration;

/**
 * How long to pause before another attempt: 1 s, doubled with each failure in a row, up to 60 s, until what was
 * started has worked for a good while. Pure.
 *
 * @param failures in a row so far
 */
public record Backoff(int failures) {
  public static final Duration FIRST = Duration.ofSeconds(1);
  public static final Duration LONGEST = Duration.ofSeconds(60);
  /** A stream that flowed this long had recovered. */
  public static final Duration STEADY = Duration.ofMinutes(5);
  private static final int DOUBLINGS = 6;

  public static Backoff none() {
    return new Backoff(0);
  }

  /** After an attempt that did not work at all. */
  public Backoff afterFailure() {
    return new Backoff(failures + 1);
  }

  /**
   * @param streamed how long the stream had flowed when it failed: a short while is no recovery, or a start that fails
   *     again and again would never pause longer
   */
  public Backoff afterFailure(Duration streamed) {
    return new Backoff(streamed.compareTo(STEADY) < 0 ? failures + 1 : 1);
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
