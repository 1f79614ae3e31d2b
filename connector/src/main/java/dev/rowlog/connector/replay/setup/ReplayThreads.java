package dev.rowlog.connector.replay.setup;

import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.config.TargetConfig;
import dev.rowlog.connector.metrics.MetricFamily;
import dev.rowlog.connector.replay.loop.ReplayLimits;
import dev.rowlog.connector.replay.loop.ReplayListener;
import dev.rowlog.connector.replay.loop.ReplayLoop;
import dev.rowlog.connector.replay.loop.ReplayRun;
import dev.rowlog.connector.replay.spi.Target;
import dev.rowlog.connector.replay.spi.TargetException;
import dev.rowlog.connector.replay.spi.TargetPosition;
import dev.rowlog.connector.text.Quantity;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.error.LogException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;

/**
 * The targets of a mirror that runs, each in a thread of its own that reads the logs as any reader does: one that stands still holds nobody
 * up. Any thread.
 */
public final class ReplayThreads implements AutoCloseable {
  /** A target that answers no more is left to itself after this. */
  private static final Duration LAST_BATCH = Duration.ofSeconds(10);

  private final CountDownLatch stopping = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();
  private final List<TargetProgress> progress = new ArrayList<>();

  private ReplayThreads() {}

  /**
   * Connects nothing yet.
   *
   * @param root the data directory of the mirror
   * @throws dev.rowlog.connector.config.ConfigException for a value that its key does not allow
   */
  public static ReplayThreads of(List<TargetConfig> targets, Disk disk, Path root, Logger log) {
    ReplayThreads made = new ReplayThreads();
    targets.forEach(target -> made.threads.add(made.thread(target, TargetOpening.of(target), disk, root, log)));
    return made;
  }

  /** Once the mirror has opened its directory. */
  public void start() {
    threads.forEach(Thread::start);
  }

  private Thread thread(TargetConfig config, Target place, Disk disk, Path root, Logger log) {
    TargetProgress target = new TargetProgress(config.name());
    progress.add(target);
    LoggedReplay listener = new LoggedReplay(config.name(), log, target);
    ReplayLoop loop = new ReplayLoop(disk, root, config.tables(), place, ReplayLimits.ofRows(config.batchRows()),
        false, listener,
        () -> stopping.getCount() == 0);
    ReplayRun run = new ReplayRun(loop, listener, this::isStoppedWithin, Integer.MAX_VALUE);
    Thread thread = new Thread(() -> {
      try (loop) {
        run.run(true);
      } catch (TargetException | LogException e) {
        log.error("target {} stopped: {}", config.name(), e.getMessage());
      } catch (RuntimeException e) {
        log.error("target {} failed", config.name(), e);
      } finally {
        target.ended();
      }
    }, "rowlog-target-" + config.name());
    thread.setDaemon(true);
    return thread;
  }

  /**
   * @param end committed end of a topic's log
   */
  public List<MetricFamily> metrics(ToLongFunction<String> end) {
    return TargetProgress.families(progress, end);
  }

  private boolean isStoppedWithin(Duration wait) {
    try {
      return stopping.await(wait.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Lets each target finish its batch; one that does not is interrupted. */
  @Override
  public void close() {
    stopping.countDown();
    boolean interrupted = false;
    for (Thread thread : threads) {
      try {
        thread.join(LAST_BATCH.toMillis());
      } catch (InterruptedException e) {
        interrupted = true;
      }
      thread.interrupt();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** What a target does, as lines of the log. */
  private record LoggedReplay(String name, Logger log, TargetProgress progress) implements ReplayListener {
    @Override
    public void at(TargetPosition position) {
      progress.at(position);
    }

    @Override
    public void moved(long records, long recordsLeft) {
      progress.moved(records);
    }

    @Override
    public void resumed(TableId table, long offset) {
      log.info("target {}: {} goes on at offset {}", name, table, offset);
    }

    @Override
    public void building(TableId table, String reason) {
      log.info("target {}: {} is built from offset 0{}", name, table, reason.isEmpty() ? "" : ": " + reason);
    }

    @Override
    public void published(TableId table) {
      log.info("target {}: {} is complete", name, table);
    }

    @Override
    public void tableStopped(TableId table, String reason) {
      log.warn("target {}: {} stands still: {}", name, table, reason);
    }

    @Override
    public void tableNotComplete(TableId table) {
      log.info("target {}: {} waits until it has been read from the source", name, table);
    }

    @Override
    public void notReady(String reason) {
      log.info("target {} waits: {}", name, reason);
    }

    @Override
    public void retrying(String reason, Duration pause) {
      progress.failed();
      log.warn("target {}: {}; trying again in {}", name, reason, Quantity.duration(pause));
    }
  }
}
