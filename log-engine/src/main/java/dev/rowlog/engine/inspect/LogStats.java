package dev.rowlog.engine.inspect;

import dev.rowlog.engine.log.LogConfig;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.replay.DirectoryReader;
import java.util.List;

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
   * @param maxKeys keys that the scan may hold, 16 to 32 bytes each; with more, live and dead stay unknown
   */
  public static LogStats of(DirectoryReader reader, TopicPartition log, LogConfig config, long nowMs, int maxKeys) {
    throw new UnsupportedOperationException("skeleton");
  }
}
