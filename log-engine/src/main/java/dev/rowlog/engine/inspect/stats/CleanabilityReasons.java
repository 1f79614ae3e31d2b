package dev.rowlog.engine.inspect.stats;

import dev.rowlog.engine.cleaner.plan.CompactionLag;
import dev.rowlog.engine.log.config.LogConfig;
import java.util.List;
import java.util.Locale;

/**
 * Why a segment is not clean yet, in the order in which the cleaner would find it out (Kafka {@code LogCleanerManager}). Pure.
 *
 * @param lag what of the log's end stays as it was written
 * @param firstDirtyOffset the cleaner checkpoint
 * @param nowMs ms since the epoch
 */
record CleanabilityReasons(
    LogConfig config, CompactionLag lag, List<SegmentCount> segments, long firstDirtyOffset, long highWatermark,
    long nowMs) {

  SegmentState state(int index) {
    if (index == segments.size() - 1) {
      return SegmentState.ACTIVE;
    }
    return segments.get(index + 1).baseOffset <= firstDirtyOffset ? SegmentState.CLEAN : SegmentState.DIRTY;
  }

  /** One sentence; empty for a clean segment. */
  String sentence(int index) {
    if (state(index) == SegmentState.CLEAN) {
      return "";
    }
    if (!config.cleanupPolicy().compacts()) {
      return "cleanup.policy has no compact.";
    }
    String own = obstacle(index);
    if (!own.isEmpty()) {
      return own;
    }
    int first = firstUncleanable();
    if (first < index) {
      return "An earlier segment (" + segments.get(first).baseOffset + ") has to wait.";
    }
    double ratio = dirtyRatio();
    if (ratio < config.minCleanableDirtyRatio()) {
      return String.format(
          Locale.ROOT, "The dirty ratio %.2f is below min.cleanable.dirty.ratio %.2f.", ratio,
          config.minCleanableDirtyRatio());
    }
    return "The cleaner has not come round yet.";
  }

  /** What keeps the cleaner from this segment whatever the ratio; empty where nothing does. */
  private String obstacle(int index) {
    SegmentCount segment = segments.get(index);
    if (index == segments.size() - 1) {
      return "It is the active segment: it takes appends until it rolls.";
    }
    if (segments.get(index + 1).baseOffset > highWatermark) {
      return "Not all of its records are committed (high watermark " + highWatermark + ").";
    }
    long waitMs = segment.lastTimestamp + config.minCompactionLagMs() - nowMs;
    long bytesToLogEnd = segments.subList(index, segments.size()).stream().mapToLong(count -> count.sizeBytes).sum();
    if (lag.holds(segment.lastTimestamp, bytesToLogEnd, nowMs)) {
      return "Its newest record is younger than min.compaction.lag.ms (" + config.minCompactionLagMs() + "): " + waitMs
          + " ms to go.";
    }
    return "";
  }

  private int firstUncleanable() {
    for (int i = 0; i < segments.size(); i++) {
      if (state(i) != SegmentState.CLEAN && !obstacle(i).isEmpty()) {
        return i;
      }
    }
    return segments.size();
  }

  /** Share of the bytes that could be cleaned now; 0 where nothing is there. */
  double dirtyRatio() {
    long clean = 0;
    long cleanable = 0;
    int end = firstUncleanable();
    for (int i = 0; i < end; i++) {
      if (segments.get(i).baseOffset < firstDirtyOffset) {
        clean += segments.get(i).sizeBytes;
      }
      if (state(i) == SegmentState.DIRTY) {
        cleanable += segments.get(i).sizeBytes;
      }
    }
    return clean + cleanable == 0 ? 0 : (double) cleanable / (clean + cleanable);
  }
}
