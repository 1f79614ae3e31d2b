package dev.rowlog.engine.log.policy;

import dev.rowlog.engine.log.config.LogConfig;
import java.util.List;

/** How many of the oldest segments may go (Kafka {@code UnifiedLog.deleteOldSegments}). Pure. */
public final class RetentionPolicy {
  private RetentionPolicy() {}

  /**
   * One segment.
   *
   * @param endOffset base of the next one, or the log end; exclusive
   * @param largestTimestamp ms
   */
  public record Candidate(long endOffset, long sizeBytes, long largestTimestamp) {}

  /**
   * Counts from the oldest until the first that must stay. The last, active one may be among them where it is not
   * empty.
   *
   * @param highWatermark nothing at or beyond it goes
   */
  public static int deletable(List<Candidate> segments, LogConfig config, long logStartOffset, long highWatermark,
      long nowMs) {
    long totalBytes = segments.stream().mapToLong(Candidate::sizeBytes).sum();
    int count = 0;
    for (Candidate segment : segments) {
      boolean isActive = count == segments.size() - 1;
      boolean isEmptyActive = isActive && segment.sizeBytes() == 0;
      boolean isReplaced = !isActive && segment.endOffset() <= logStartOffset;
      if (segment.endOffset() > highWatermark || isEmptyActive
          || !(isReplaced || isTooMuch(config, totalBytes, segment) || isTooOld(config, segment, nowMs))) {
        return count;
      }
      totalBytes -= segment.sizeBytes();
      count++;
    }
    return count;
  }

  private static boolean isTooMuch(LogConfig config, long totalBytes, Candidate segment) {
    return config.cleanupPolicy().deletes() && config.retentionBytes() >= 0
        && totalBytes - segment.sizeBytes() >= config.retentionBytes();
  }

  private static boolean isTooOld(LogConfig config, Candidate segment, long nowMs) {
    return config.cleanupPolicy().deletes() && config.retentionMs() >= 0
        && nowMs - segment.largestTimestamp() > config.retentionMs();
  }
}
