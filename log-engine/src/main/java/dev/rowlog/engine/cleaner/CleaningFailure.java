package dev.rowlog.engine.cleaner;

/**
 * Why a log's last pass failed, and when it is tried again: never given up (Kafka marks it uncleanable until a
 * restart).
 *
 * @param reason what the pass threw
 * @param attempts failed passes since the last good one, at least 1
 * @param retryAtMs wall clock before which the background cleaner leaves the log out
 */
public record CleaningFailure(Throwable reason, int attempts, long retryAtMs) {
  private static final long MAX_BACKOFF_MS = 3_600_000;

  /** The next failure in a row: the wait doubles, up to an hour. */
  static CleaningFailure after(CleaningFailure previous, Throwable reason, long nowMs, long backoffMs) {
    int attempts = previous == null ? 1 : previous.attempts + 1;
    long factor = 1L << Math.min(attempts - 1, 30);
    long waitMs = Math.min(MAX_BACKOFF_MS, Math.max(1, backoffMs) * factor);
    return new CleaningFailure(reason, attempts, nowMs + waitMs);
  }
}
