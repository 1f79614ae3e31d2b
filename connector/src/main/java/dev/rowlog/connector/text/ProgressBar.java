package dev.rowlog.connector.text;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * One line of progress: bar, records, records a second, time left. One thread; draws nothing itself.
 *
 * <p>The count left is an upper bound: offsets that were cleaned away hold no record.
 */
public final class ProgressBar {
  private static final int CELLS = 24;
  private static final long REDRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final long startedNanos;
  private long records;
  private long left;
  private long drawnNanos;
  private boolean isDrawn;

  /**
   * @param nowNanos reading of the nano clock
   */
  public ProgressBar(long nowNanos) {
    this.startedNanos = nowNanos;
  }

  /** Counts a batch; true where it is time to draw. */
  public boolean moved(long batchRecords, long recordsLeft, long nowNanos) {
    records += batchRecords;
    left = recordsLeft;
    if (isDrawn && nowNanos - drawnNanos < REDRAW_NANOS && left > 0) {
      return false;
    }
    isDrawn = true;
    drawnNanos = nowNanos;
    return true;
  }

  /** Such as {@code ████░░░░  412,000 of 1,000,000 rows  38,211 rows/s  15 s left}. */
  public String line(long nowNanos) {
    long total = records + left;
    double share = total == 0 ? 1 : (double) records / total;
    int full = (int) Math.round(share * CELLS);
    String bar = "█".repeat(full) + "░".repeat(CELLS - full);
    String time = left == 0
        ? Quantity.duration(elapsed(nowNanos))
        : Quantity.duration(Duration.ofSeconds(Math.round(left / Math.max(1.0, perSecond(nowNanos))))) + " left";
    return String.format(Locale.ROOT, "%s  %s of %s rows  %s rows/s  %s", bar, Quantity.count(records),
        Quantity.count(total),
        Quantity.count(Math.round(perSecond(nowNanos))), time);
  }

  public long records() {
    return records;
  }

  public double perSecond(long nowNanos) {
    return records / Math.max(1e-9, elapsed(nowNanos).toNanos() / 1e9);
  }

  public Duration elapsed(long nowNanos) {
    return Duration.ofNanos(Math.max(0, nowNanos - startedNanos));
  }
}
