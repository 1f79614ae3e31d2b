package dev.rowlog.engine.cleaner.plan;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which log to clean next; pure (Kafka {@code LogCleanerManager.grabFilthiestCompactedLog}, with two differences).
 *
 * <p>A log that is overdue by {@code max.compaction.lag.ms} goes before every other, the most overdue first. Then
 * the highest dirty ratio at or above (Kafka: above) {@code min.cleanable.dirty.ratio}. A log without a byte to
 * clean is never chosen.
 */
public final class CleanerSelection {

  /**
   * A log that may be chosen.
   *
   * @param subject what is chosen
   * @param minCleanableDirtyRatio 0 to 1
   * @param maxCompactionLagMs {@link Long#MAX_VALUE} for none
   */
  public record Candidate<T>(T subject, DirtyRange range, double minCleanableDirtyRatio, long maxCompactionLagMs) {}

  private CleanerSelection() {}

  /** The best of the candidates; the first of equals; empty where none is eligible. */
  public static <T> Optional<Candidate<T>> choose(List<Candidate<T>> candidates, long nowMs) {
    Optional<Candidate<T>> overdue = candidates.stream()
        .filter(candidate -> overdueMs(candidate, nowMs) > 0)
        .max(Comparator.comparingLong(candidate -> overdueMs(candidate, nowMs)));
    if (overdue.isPresent()) {
      return overdue;
    }
    return candidates.stream()
        .filter(candidate -> candidate.range().hasSomethingToClean())
        .filter(candidate -> candidate.range().ratio() >= candidate.minCleanableDirtyRatio())
        .max(Comparator.comparingDouble(candidate -> candidate.range().ratio()));
  }

  private static <T> long overdueMs(Candidate<T> candidate, long nowMs) {
    return candidate.range().overdueMs(nowMs, candidate.maxCompactionLagMs());
  }
}
