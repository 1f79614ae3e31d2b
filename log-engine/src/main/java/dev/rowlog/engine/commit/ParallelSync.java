package dev.rowlog.engine.commit;

import dev.rowlog.engine.log.PartitionLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Syncs several logs at a time: a sync is nearly all wait, so that eight at once take about a quarter of the time of one after the other.
 *
 * <p>One caller at a time. Its threads are daemons and end with {@link #close}.
 */
final class ParallelSync implements AutoCloseable {
  static final int THREADS = 8;

  private final ExecutorService threads;

  private ParallelSync(ExecutorService threads) {
    this.threads = threads;
  }

  static ParallelSync open() {
    AtomicInteger number = new AtomicInteger();
    return new ParallelSync(Executors.newFixedThreadPool(THREADS, task -> {
      Thread thread = new Thread(task, "rowlog-sync-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    }));
  }

  /**
   * Returns when every log is durable to its end.
   *
   * @throws dev.rowlog.engine.error.LogException the first failure, with the others suppressed, after all have ended
   */
  void sync(List<PartitionLog> logs) {
    List<Future<?>> others = new ArrayList<>();
    for (PartitionLog log : logs.subList(Math.min(1, logs.size()), logs.size())) {
      others.add(threads.submit(log::flush));
    }
    RuntimeException failure = logs.isEmpty() ? null : attempt(logs.get(0)::flush, null);
    for (Future<?> other : others) {
      failure = attempt(() -> join(other), failure);
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static RuntimeException attempt(Runnable sync, RuntimeException earlier) {
    try {
      sync.run();
      return earlier;
    } catch (RuntimeException e) {
      if (earlier == null) {
        return e;
      }
      earlier.addSuppressed(e);
      return earlier;
    }
  }

  /** Waits even under an interrupt, which is kept: a sync that was begun must be known to have ended before its outcome is used. */
  private static void join(Future<?> sync) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          sync.get();
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          if (e.getCause() instanceof RuntimeException failure) {
            throw failure;
          }
          if (e.getCause() instanceof Error error) {
            throw error;
          }
          throw new AssertionError("a sync throws nothing checked", e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
