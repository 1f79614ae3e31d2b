package dev.rowlog.engine.commit;

import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The one place where readers see a commit: a single volatile write moves every high watermark at once. Any thread.
 */
final class PublishedEnds {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile CommittedEnds current;
  private volatile boolean closed;

  PublishedEnds(CommittedEnds current) {
    this.current = current;
  }

  CommittedEnds current() {
    return current;
  }

  void publish(CommittedEnds ends) {
    current = ends;
    signal();
  }

  /** Lets every waiter go. */
  void close() {
    closed = true;
    signal();
  }

  private void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The first published commit from now on that fulfils the condition; empty after the timeout, or when closed. */
  Optional<CommittedEnds> await(Predicate<CommittedEnds> condition, long timeoutNanos) throws InterruptedException {
    long nanosLeft = timeoutNanos;
    while (true) {
      CommittedEnds seen = current;
      // Outside the lock: the condition is the caller's code.
      if (condition.test(seen)) {
        return Optional.of(seen);
      }
      nanosLeft = awaitChange(seen, nanosLeft);
      if (nanosLeft <= 0) {
        return Optional.empty();
      }
    }
  }

  /** Returns the nanoseconds left; 0 or less after the timeout or when closed. */
  private long awaitChange(CommittedEnds seen, long nanos) throws InterruptedException {
    long nanosLeft = nanos;
    lock.lock();
    try {
      while (current == seen && !closed && nanosLeft > 0) {
        nanosLeft = changed.awaitNanos(nanosLeft);
      }
      return closed && current == seen ? 0 : Math.max(nanosLeft, current == seen ? 0 : 1);
    } finally {
      lock.unlock();
    }
  }
}
