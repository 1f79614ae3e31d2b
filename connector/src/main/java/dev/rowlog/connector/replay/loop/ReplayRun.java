package dev.rowlog.connector.replay.loop;

import dev.rowlog.connector.replay.spi.TargetException;
import dev.rowlog.connector.retry.Backoff;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * Runs a {@link ReplayLoop} until everything is there, or until it is asked to end; a target that does not answer is tried again after a
 * growing pause. One thread.
 */
public final class ReplayRun {
  /** How long commits are gathered, and how often a directory is looked at for a new one. */
  private static final Duration POLL = Duration.ofMillis(50);

  private final ReplayLoop loop;
  private final ReplayListener listener;
  private final Predicate<Duration> stopWithin;
  private final int attempts;

  /** How it ended. */
  public enum End {
    UP_TO_DATE,
    STOPPED,
    NOT_READY
  }

  /**
   * @param stopWithin waits so long for the request to end; true as soon as it is there
   * @param attempts failures in a row after which it gives up
   */
  public ReplayRun(ReplayLoop loop, ReplayListener listener, Predicate<Duration> stopWithin, int attempts) {
    this.loop = loop;
    this.listener = listener;
    this.stopWithin = stopWithin;
    this.attempts = attempts;
  }

  /**
   * @param isFollowing goes on with new commits
   * @throws TargetException where the target refuses, or has failed too often
   * @throws dev.rowlog.engine.error.LogException where the logs cannot be read
   */
  public End run(boolean isFollowing) {
    Backoff backoff = Backoff.none();
    ReplayLoop.Outcome last = null;
    while (!stopWithin.test(Duration.ZERO)) {
      try {
        ReplayLoop.Outcome outcome = loop.runOnce();
        backoff = Backoff.none();
        say(outcome, last);
        last = outcome;
        if (outcome == ReplayLoop.Outcome.INTERRUPTED) {
          return End.STOPPED;
        }
        if (!isFollowing && outcome != ReplayLoop.Outcome.MOVED) {
          return outcome == ReplayLoop.Outcome.UP_TO_DATE ? End.UP_TO_DATE : End.NOT_READY;
        }
        if (isFollowing && stopWithin.test(POLL)) {
          return End.STOPPED;
        }
      } catch (TargetException e) {
        backoff = backoff.afterFailure();
        if (!e.isRetryable() || backoff.failures() >= attempts) {
          throw e;
        }
        loop.reconnect();
        listener.retrying(e.getMessage(), backoff.pause());
        if (stopWithin.test(backoff.pause())) {
          return End.STOPPED;
        }
      }
    }
    return End.STOPPED;
  }

  private void say(ReplayLoop.Outcome outcome, ReplayLoop.Outcome last) {
    if (outcome == last) {
      return;
    }
    if (outcome == ReplayLoop.Outcome.UP_TO_DATE) {
      listener.upToDate();
    } else if (outcome == ReplayLoop.Outcome.NOT_READY) {
      listener.notReady(loop.notReady());
    }
  }
}
