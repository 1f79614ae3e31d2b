package dev.rowlog.connector.capture;

import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.SourceEvent;
import dev.rowlog.connector.sink.MirrorSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** Keeps whole transactions in memory, as the log does: what was not committed when the capture ended is dropped. */
final class CommittingSink implements MirrorSink {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition committedMore = lock.newCondition();
  private final List<SourceEvent> committed = new ArrayList<>();
  private final List<SourceEvent> uncommitted = new ArrayList<>();
  private Lsn position;
  private int eventsUntilCrash = Integer.MAX_VALUE;

  CommittingSink(Lsn start) {
    this.position = start;
  }

  @Override
  public int accept(List<SourceEvent> events) {
    lock.lock();
    try {
      int durable = -1;
      for (int i = 0; i < events.size(); i++) {
        if (eventsUntilCrash-- <= 0) {
          throw new IllegalStateException("killed by the test");
        }
        SourceEvent event = events.get(i);
        uncommitted.add(event);
        Lsn boundary = boundary(event);
        if (boundary != null) {
          committed.addAll(uncommitted);
          uncommitted.clear();
          position = boundary;
          durable = i;
        }
      }
      committedMore.signalAll();
      return durable;
    } finally {
      lock.unlock();
    }
  }

  private static Lsn boundary(SourceEvent event) {
    if (event instanceof SourceEvent.End end) {
      return end.endLsn();
    }
    return event instanceof SourceEvent.Message message && !message.transactional() ? message.lsn() : null;
  }

  @Override
  public void reset() {
    lock.lock();
    try {
      uncommitted.clear();
    } finally {
      lock.unlock();
    }
  }

  void crashAfter(int events) {
    lock.lock();
    try {
      eventsUntilCrash = events;
    } finally {
      lock.unlock();
    }
  }

  Lsn position() {
    lock.lock();
    try {
      return position;
    } finally {
      lock.unlock();
    }
  }

  List<SourceEvent> committed() {
    lock.lock();
    try {
      return List.copyOf(committed);
    } finally {
      lock.unlock();
    }
  }

  List<SourceEvent.Row> rows() {
    return committed().stream().filter(SourceEvent.Row.class::isInstance).map(SourceEvent.Row.class::cast).toList();
  }

  void awaitMessage(String token) throws InterruptedException {
    await("message " + token, event -> event instanceof SourceEvent.Message message && Heartbeat.is(message, token));
  }

  void await(String what, Predicate<SourceEvent> wanted) throws InterruptedException {
    long left = Duration.ofSeconds(60).toNanos();
    lock.lock();
    try {
      while (committed.stream().noneMatch(wanted)) {
        if (left <= 0) {
          throw new AssertionError("not committed: " + what + "; last events: "
              + committed.subList(Math.max(0, committed.size() - 20), committed.size()));
        }
        left = committedMore.awaitNanos(Math.min(left, TimeUnit.SECONDS.toNanos(60)));
      }
    } finally {
      lock.unlock();
    }
  }
}
