package dev.rowlog.engine.cleaner.io;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Holds the bytes read and written by the cleaner to {@code log.cleaner.io.max.bytes.per.second}. One thread.
 *
 * <p>A bucket that holds a tenth of a second's bytes: short bursts pass, a longer one waits for what it is ahead
 * (Kafka's {@code Throttler} looks every 300 ms, holding a lock).
 */
public final class Throttle {
  private static final double BURST_SECONDS = 0.1;
  private static final double NANOS_PER_SECOND = 1e9;

  private final double bytesPerSecond;
  private final LongSupplier nanoClock;
  private final LongConsumer pause;
  private double ahead;
  private long lastNanos;

  /**
   * @param bytesPerSecond {@link Double#MAX_VALUE} for no limit
   * @param nanoClock elapsed time
   * @param pause waits so many nanoseconds
   */
  public Throttle(double bytesPerSecond, LongSupplier nanoClock, LongConsumer pause) {
    this.bytesPerSecond = bytesPerSecond;
    this.nanoClock = nanoClock;
    this.pause = pause;
    this.lastNanos = nanoClock.getAsLong();
  }

  /** Notes bytes that were read or written, and waits where that is more than the limit allows. */
  public void acquire(long bytes) {
    if (bytesPerSecond == Double.MAX_VALUE) {
      return;
    }
    long now = nanoClock.getAsLong();
    ahead = Math.max(0, ahead - (now - lastNanos) / NANOS_PER_SECOND * bytesPerSecond) + bytes;
    lastNanos = now;
    double excess = ahead - BURST_SECONDS * bytesPerSecond;
    if (excess > 0) {
      pause.accept((long) (excess / bytesPerSecond * NANOS_PER_SECOND));
    }
  }
}
