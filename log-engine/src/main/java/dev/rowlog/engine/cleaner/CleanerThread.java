package dev.rowlog.engine.cleaner;

import dev.rowlog.engine.cleaner.io.StopSignal;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Runs rounds in the background: at once after one that cleaned something, else after {@code
 * log.cleaner.backoff.ms}. Started once.
 */
final class CleanerThread {
  private final BooleanSupplier round;
  private final long backoffNanos;
  private final StopSignal stop;
  private final Thread thread;

  /**
   * @param round makes one round, throws nothing but an Error, which ends the thread; true where it cleaned something
   */
  CleanerThread(BooleanSupplier round, long backoffMs, StopSignal stop) {
    this.round = round;
    this.backoffNanos = TimeUnit.MILLISECONDS.toNanos(backoffMs);
    this.stop = stop;
    this.thread = new Thread(this::loop, "log-cleaner");
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** True where it was started and has ended. */
  boolean isDead() {
    return thread.getState() == Thread.State.TERMINATED;
  }

  private void loop() {
    while (!stop.isGiven()) {
      if (!round.getAsBoolean()) {
        stop.await(backoffNanos);
      }
    }
  }

  /** Waits for the round in work; the stop signal must have been given. An interrupt ends the wait and is kept. */
  void join() {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
