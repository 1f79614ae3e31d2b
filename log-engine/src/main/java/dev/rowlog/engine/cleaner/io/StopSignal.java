package dev.rowlog.engine.cleaner.io;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells a pass, and whoever waits between passes, that the cleaner is being closed. Once given it stays. Any
 * thread.
 */
public final class StopSignal {
  private final CountDownLatch stopped = new CountDownLatch(1);

  public void give() {
    stopped.countDown();
  }

  public boolean isGiven() {
    return stopped.getCount() == 0;
  }

  /** Waits that long, or until the signal; an interrupt is taken for the signal and kept. */
  public void await(long nanos) {
    try {
      if (stopped.await(nanos, TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      give();
      Thread.currentThread().interrupt();
    }
  }
}
