package dev.rowlog.engine.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs a list of tasks a few at a time and returns when all have ended. One caller at a time.
 *
 * <p>Its threads are daemons, begin when they are needed, are never interrupted (an interrupt closes the file channel that is in use), and end
 * with {@link #close}.
 */
public final class ParallelTasks implements AutoCloseable {
  private final ExecutorService threads;

  private ParallelTasks(ExecutorService threads) {
    this.threads = threads;
  }

  /**
   * @param count threads beside the caller's
   */
  public static ParallelTasks open(int count, String threadName) {
    AtomicInteger number = new AtomicInteger();
    return new ParallelTasks(Executors.newFixedThreadPool(count, task -> {
      Thread thread = new Thread(task, threadName + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    }));
  }

  /**
   * The first task runs on the caller's thread: a single one costs no change of threads.
   *
   * @throws RuntimeException the first failure, with the others suppressed
   */
  public void run(List<Runnable> tasks) {
    List<Future<?>> others = new ArrayList<>();
    for (Runnable task : tasks.subList(Math.min(1, tasks.size()), tasks.size())) {
      others.add(threads.submit(task));
    }
    Throwable failure = tasks.isEmpty() ? null : attempt(tasks.get(0), null);
    for (Future<?> other : others) {
      failure = attempt(() -> join(other), failure);
    }
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
  }

  private static Throwable attempt(Runnable task, Throwable earlier) {
    try {
      task.run();
      return earlier;
    } catch (RuntimeException | Error e) {
      if (earlier == null) {
        return e;
      }
      earlier.addSuppressed(e);
      return earlier;
    }
  }

  /** Waits even under an interrupt, which is kept: the task must be known to have ended before its outcome is used. */
  private static void join(Future<?> task) {
    boolean isInterrupted = false;
    try {
      while (true) {
        try {
          task.get();
          return;
        } catch (InterruptedException e) {
          isInterrupted = true;
        } catch (ExecutionException e) {
          if (e.getCause() instanceof RuntimeException failure) {
            throw failure;
          }
          if (e.getCause() instanceof Error error) {
            throw error;
          }
          throw new AssertionError("a task throws nothing checked", e);
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
