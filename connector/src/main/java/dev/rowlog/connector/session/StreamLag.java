package dev.rowlog.connector.session;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How far the logs are behind the source: how long the oldest heartbeat has been under way, or what the newest took that came round. Guarded by
 * its owner.
 */
final class StreamLag {
  private final LongSupplier nanoClock;
  private boolean isUnderWay;
  private long oldestSent;
  private boolean isKnown;
  private long roundTrip;

  StreamLag(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** A heartbeat is being sent, or would be if the source answered. */
  void sent(long nanos) {
    if (!isUnderWay) {
      isUnderWay = true;
      oldestSent = nanos;
    }
  }

  /** What was sent before it is behind us, too. */
  void returned(long sentNanos) {
    isKnown = true;
    roundTrip = nanoClock.getAsLong() - sentNanos;
    isUnderWay &= sentNanos - oldestSent < 0;
  }

  /** Empty before the first heartbeat came round. */
  Optional<Duration> lag() {
    return isKnown
        ? Optional
            .of(Duration.ofNanos(isUnderWay ? Math.max(roundTrip, nanoClock.getAsLong() - oldestSent) : roundTrip))
        : Optional.empty();
  }
}
