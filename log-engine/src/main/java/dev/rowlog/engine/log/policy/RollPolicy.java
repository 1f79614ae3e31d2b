package dev.rowlog.engine.log.policy;

import dev.rowlog.engine.log.config.LogConfig;

/** When the active segment is closed before an append (Kafka {@code LogSegment.shouldRoll}). Pure. */
public final class RollPolicy {
  private RollPolicy() {}

  /**
   * The active segment as it is.
   *
   * @param firstBatchTimestamp ms; -1 where it has none
   * @param createdMs when it was created or opened
   */
  public record ActiveSegment(long baseOffset, long sizeBytes, long firstBatchTimestamp, long createdMs,
      boolean indexFull) {}

  /**
   * The batch that is to be appended.
   *
   * @param maxTimestamp ms; -1 where it has none
   */
  public record NextBatch(long lastOffset, int sizeBytes, long maxTimestamp) {}

  /**
   * An empty segment is never rolled for its size or age: a batch larger than {@code segment.bytes} gets a segment of
   * its own.
   */
  public static boolean shouldRoll(LogConfig config, ActiveSegment active, NextBatch next, long nowMs) {
    if (next.lastOffset() - active.baseOffset() > Integer.MAX_VALUE) {
      return true;
    }
    return active.sizeBytes() > 0
        && (active.sizeBytes() > config.segmentBytes() - (long) next.sizeBytes()
            || waitedMs(active, next, nowMs) > maxSegmentMs(config)
            || active.indexFull());
  }

  /** By the records' own time; by the clock only where the first batch has none. */
  private static long waitedMs(ActiveSegment active, NextBatch next, long nowMs) {
    return active.firstBatchTimestamp() >= 0 && next.maxTimestamp() >= 0
        ? next.maxTimestamp() - active.firstBatchTimestamp()
        : nowMs - active.createdMs();
  }

  private static long maxSegmentMs(LogConfig config) {
    return config.cleanupPolicy().compacts()
        ? Math.min(config.maxCompactionLagMs(), config.segmentMs())
        : config.segmentMs();
  }
}
