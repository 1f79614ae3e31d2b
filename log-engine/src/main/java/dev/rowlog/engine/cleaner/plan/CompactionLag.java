package dev.rowlog.engine.cleaner.plan;

/**
 * How much of a log's end stays as it was written: what is younger than a time, and no more than so many bytes of it;
 * pure (KIP-58, to which the bytes are ours).
 *
 * @param minMs {@code min.compaction.lag.ms}; 0 for none
 * @param maxBytes up to the log end; {@link Long#MAX_VALUE} where only the time counts
 */
public record CompactionLag(long minMs, long maxBytes) {

  public static CompactionLag ofTime(long minMs) {
    return new CompactionLag(minMs, Long.MAX_VALUE);
  }

  /**
   * Whether a segment must not be cleaned yet.
   *
   * @param largestTimestamp of its records (ms)
   * @param bytesToLogEnd of it and of all segments behind it
   * @param nowMs the wall clock
   */
  public boolean holds(long largestTimestamp, long bytesToLogEnd, long nowMs) {
    return minMs > 0 && largestTimestamp > nowMs - minMs && bytesToLogEnd <= maxBytes;
  }
}
