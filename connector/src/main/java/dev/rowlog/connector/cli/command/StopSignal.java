package dev.rowlog.connector.cli.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The request to end: SIGINT, SIGTERM or SIGHUP of a process, or a test's. Any thread. */
public class StopSignal {
  private final CountDownLatch given = new CountDownLatch(1);
  private final AtomicInteger number = new AtomicInteger();

  /** From now on signals are this object's business; until then they end the process as usual. */
  public void arm() {}

  /**
   * @param signalNumber 2 for SIGINT, 15 for SIGTERM
   */
  public final void give(int signalNumber) {
    number.compareAndSet(0, signalNumber);
    given.countDown();
  }

  public final boolean isGiven() {
    return given.getCount() == 0;
  }

  /** True as soon as it is given, false after the timeout. An interrupted thread is asked to end as well. */
  public final boolean await(Duration timeout) {
    try {
      return given.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** 128 and the signal's number, as shells count. */
  public final int exitCode() {
    return 128 + number.get();
  }
}
