package dev.rowlog.engine.inspect.stats;

import java.util.OptionalLong;

/**
 * What one segment holds, up to the high watermark.
 *
 * @param sizeBytes of the {@code .log}, beyond the high watermark too
 * @param live records that are the newest of their key; empty where the log has more keys than the scan may hold
 * @param firstTimestamp ms since the epoch, -1 where there is no record
 * @param lastTimestamp largest, ms since the epoch, -1 where there is no record
 * @param whyNotCleaned one sentence; empty for a clean segment
 */
public record SegmentStats(
    long baseOffset,
    long nextOffset,
    long sizeBytes,
    long batches,
    long records,
    long tombstones,
    OptionalLong live,
    long firstTimestamp,
    long lastTimestamp,
    SegmentState state,
    String whyNotCleaned) {

  /** Records that a newer one of their key has made obsolete; empty where {@link #live} is. */
  public OptionalLong dead() {
    return live.isPresent() ? OptionalLong.of(records - live.getAsLong()) : OptionalLong.empty();
  }
}
