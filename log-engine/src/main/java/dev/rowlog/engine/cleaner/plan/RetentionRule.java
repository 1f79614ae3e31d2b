package dev.rowlog.engine.cleaner.plan;

/**
 * Which records outlive a pass, and when a batch gets its delete horizon; pure (KIP-534, Kafka {@code
 * Cleaner.shouldRetainRecord}).
 *
 * <p>For one pass: its end and its clock reading are fixed when it begins.
 *
 * @param endOffset exclusive: what the offset map knows; at and beyond it everything is kept
 * @param nowMs the wall clock when the pass began
 * @param deleteRetentionMs how long a tombstone stays after the pass that first cleaned it
 */
public record RetentionRule(long endOffset, long nowMs, long deleteRetentionMs) {

  /** Stands for a batch that has no delete horizon yet. */
  public static final long NO_HORIZON = Long.MIN_VALUE;

  /**
   * Whether a record stays.
   *
   * @param superseded a newer record of its key lies below the pass's end
   * @param tombstone null value; a value of no bytes is not one
   * @param horizonMs the delete horizon of its batch, or {@link #NO_HORIZON}
   */
  public boolean keeps(long offset, boolean hasKey, boolean superseded, boolean tombstone, long horizonMs) {
    if (offset >= endOffset) {
      return true;
    }
    if (!hasKey || superseded) {
      return false;
    }
    return !tombstone || !isExpired(horizonMs);
  }

  /** True where the horizon is there and has come: the batch's tombstones have been seen long enough. */
  public boolean isExpired(long horizonMs) {
    return horizonMs != NO_HORIZON && nowMs >= horizonMs;
  }

  /**
   * The horizon that a batch must get in this pass because it keeps a tombstone, or {@link #NO_HORIZON}.
   *
   * <p>It starts the clock of "older values are gone". That is true only below the pass's end, so a batch that
   * reaches beyond it waits for a later pass (Kafka sets it at once). A horizon that is there is never moved.
   *
   * @param horizonMs what the batch has
   * @param lastOffset of the batch, inclusive
   */
  public long horizonToSet(long horizonMs, long lastOffset) {
    boolean wanted = horizonMs == NO_HORIZON && lastOffset < endOffset;
    return wanted ? saturatedSum(nowMs, deleteRetentionMs) : NO_HORIZON;
  }

  private static long saturatedSum(long a, long b) {
    long sum = a + b;
    return b > 0 && sum < a ? Long.MAX_VALUE : sum;
  }
}
