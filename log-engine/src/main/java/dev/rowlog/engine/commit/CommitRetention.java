package dev.rowlog.engine.commit;

import dev.rowlog.engine.log.TopicPartition;
import java.time.Duration;
import java.util.Objects;

/**
 * How many of the newest commits stay whole before the commit log is compacted: those of the time that fit the bytes,
 * whichever is less.
 *
 * @param bytes of the commit log, at least 1
 */
public record CommitRetention(Duration time, long bytes) {
  public CommitRetention {
    Objects.requireNonNull(time, "time");
    if (time.isNegative() || bytes < 1) {
      throw new IllegalArgumentException("commits kept for " + time + " and " + bytes + " bytes");
    }
  }

  /** Bytes at the end of a log that wait for {@code min.compaction.lag.ms}: only of the commit log are they bounded. */
  public long lagBytes(TopicPartition log) {
    return log.equals(CommitLog.PARTITION) ? bytes : Long.MAX_VALUE;
  }
}
