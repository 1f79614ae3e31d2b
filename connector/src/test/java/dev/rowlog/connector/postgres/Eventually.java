package dev.rowlog.connector.postgres;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for a real condition with a deadline: for what the product itself has no signal for. */
public final class Eventually {
  private static final long PAUSE_NANOS = 2_000_000;

  private Eventually() {}

  /** Returns as soon as the condition holds. */
  public static void holds(String what, Duration deadline, Callable<Boolean> condition) {
    long end = System.nanoTime() + deadline.toNanos();
    while (true) {
      try {
        if (condition.call()) {
          return;
        }
      } catch (Exception e) {
        throw new AssertionError("could not check: " + what, e);
      }
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("not within " + deadline + ": " + what);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
