package dev.rowlog.engine.inspect.stats;

import dev.rowlog.engine.cleaner.plan.CompactionLag;
import dev.rowlog.engine.commit.CommitLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.log.directory.OffsetCheckpoint;
import dev.rowlog.engine.replay.DirectoryReader;
import dev.rowlog.engine.replay.SegmentFile;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A log in numbers, segment by segment.
 *
 * @param firstDirtyOffset the cleaner checkpoint, or the log start without one
 * @param dirtyRatio bytes that could be cleaned now, as a share of them and the clean ones; 0 to 1
 */
public record LogStats(
    TopicPartition log,
    long logStartOffset,
    long highWatermark,
    long firstDirtyOffset,
    double dirtyRatio,
    List<SegmentStats> segments) {

  public LogStats {
    segments = List.copyOf(segments);
  }

  /** Keys that a scan holds by default: 64 MiB of memory. */
  public static final int DEFAULT_MAX_KEYS = 2_000_000;

  /**
   * Scans the log once.
   *
   * @param config what the cleaner would go by
   * @param nowMs the time that lags are counted to, ms since the epoch
   * @param maxKeys keys that the scan may hold, 32 bytes each; with more, live and dead stay unknown
   */
  public static LogStats of(DirectoryReader reader, TopicPartition log, LogConfig config, long nowMs, int maxKeys) {
    NewestOffsets newest = new NewestOffsets(maxKeys);
    List<SegmentCount> counts = new ArrayList<>();
    for (SegmentFile segment : reader.segments(log)) {
      counts.add(SegmentCount.of(reader, log, segment, newest));
    }
    newest.forEachOffset(offset -> segmentOf(counts, offset).live++);

    long logStart = reader.logStartOffset(log);
    long firstDirty = reader.checkpoint(OffsetCheckpoint.CLEANER_OFFSET).getOrDefault(log, logStart);
    long highWatermark = reader.endOffset(log);
    CompactionLag lag = new CompactionLag(config.minCompactionLagMs(), CommitLog.RETENTION.lagBytes(log));
    CleanabilityReasons reasons = new CleanabilityReasons(config, lag, counts, Math.max(firstDirty, logStart),
        highWatermark,
        nowMs);
    List<SegmentStats> segments = new ArrayList<>();
    for (int i = 0; i < counts.size(); i++) {
      segments.add(stats(counts.get(i), newest.isOverfull(), reasons.state(i), reasons.sentence(i)));
    }
    return new LogStats(log, logStart, highWatermark, reasons.firstDirtyOffset(), reasons.dirtyRatio(), segments);
  }

  private static SegmentCount segmentOf(List<SegmentCount> counts, long offset) {
    int low = 0;
    int high = counts.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (counts.get(middle).baseOffset <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return counts.get(low);
  }

  private static SegmentStats stats(SegmentCount count, boolean isLiveUnknown, SegmentState state, String why) {
    return new SegmentStats(
        count.baseOffset, count.nextOffset, count.sizeBytes, count.batches, count.records, count.tombstones,
        isLiveUnknown ? OptionalLong.empty() : OptionalLong.of(count.live), count.firstTimestamp, count.lastTimestamp,
        state, why);
  }
}
