package dev.rowlog.connector.replay.loop;

/**
 * How much goes to a target at once.
 *
 * @param rows records of a batch, and of the commits that are taken together
 * @param bytes keys and values of a batch; one row may be larger
 */
public record ReplayLimits(int rows, long bytes) {
  public static final int DEFAULT_ROWS = 5_000;
  public static final long DEFAULT_BYTES = 8L << 20;

  public ReplayLimits {
    if (rows < 1 || bytes < 1) {
      throw new IllegalArgumentException("a batch of " + rows + " rows and " + bytes + " bytes");
    }
  }

  public static ReplayLimits ofRows(int rows) {
    return new ReplayLimits(rows, DEFAULT_BYTES);
  }
}
