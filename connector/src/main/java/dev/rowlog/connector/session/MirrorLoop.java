package dev.rowlog.connector.session;

import dev.rowlog.connector.capture.slot.SlotRefusedException;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.mirror.MirrorEnd;
import dev.rowlog.connector.mirror.MirrorListener;
import dev.rowlog.connector.mirror.MirrorState;
import dev.rowlog.connector.mirror.SourceRefusedException;
import dev.rowlog.connector.options.Environment;
import dev.rowlog.connector.options.RowlogOptions;
import dev.rowlog.connector.retry.Backoff;
import dev.rowlog.engine.LogEngine;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mirrors, one {@link MirrorSession} after the other, until it is stopped or fails for good: after each failure
 * everything uncommitted is cut, and a new session starts after a pause. One thread of its own; methods from any
 * thread.
 */
public final class MirrorLoop {
  private static final Logger LOG = LoggerFactory.getLogger(MirrorLoop.class);

  private final RowlogOptions options;
  private final Environment environment;
  private final LogEngine engine;
  private final StatusBoard board;
  private final MirrorListener listener;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "rowlog-mirror");
  private final FailurePolicy policy;
  private volatile MirrorSession session;

  public MirrorLoop(RowlogOptions options, Environment environment, LogEngine engine, StatusBoard board,
      MirrorListener listener) {
    this.options = options;
    this.environment = environment;
    this.engine = engine;
    this.board = board;
    this.listener = listener;
    this.policy = new FailurePolicy(options.source());
  }

  /**
   * Reaches the source and checks it, in the caller's thread.
   *
   * @throws SourceRefusedException where it refuses us, or we it
   */
  public void prepare() {
    try {
      session = openSession();
    } catch (SQLException e) {
      throw new SourceRefusedException(SourceErrors.sentence(options.source().address(), e), e);
    } catch (SlotRefusedException | SourceTables.PreflightFailedException e) {
      throw new SourceRefusedException(e.getMessage(), e);
    }
  }

  private MirrorSession openSession() throws SQLException {
    return MirrorSession.open(options, environment, engine, board, listener);
  }

  public void start() {
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    MirrorEnd end = new MirrorEnd(MirrorEnd.Kind.REQUESTED, "");
    try {
      Backoff backoff = Backoff.none();
      while (!isStopping()) {
        Optional<Throwable> failure = mirrorOnce();
        if (isStopping() || failure.isEmpty()) {
          break;
        }
        end = policy.end(failure.get()).orElse(end);
        if (end.kind() != MirrorEnd.Kind.REQUESTED) {
          break;
        }
        backoff = backoff.afterFailure(board.streamedFor());
        closeSession();
        pause(failure.get(), backoff.pause());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      end = policy.end(e).orElse(null);
      if (end == null) {
        LOG.error("the mirror failed", e);
        end = new MirrorEnd(MirrorEnd.Kind.FAILED, message(e));
      }
    } finally {
      closeSession();
      if (end.kind() != MirrorEnd.Kind.REQUESTED) {
        board.failed(end.message());
      }
      board.ended(end);
      listener.stopped(end);
    }
  }

  /** Empty where it was stopped. */
  private Optional<Throwable> mirrorOnce() throws InterruptedException {
    try {
      if (session == null) {
        board.enter(MirrorState.STARTING);
        listener.restarted(board.restarted());
        session = openSession();
        if (isStopping()) {
          return Optional.empty();
        }
      }
      return session.mirror();
    } catch (SQLException | RuntimeException e) {
      return Optional.of(e);
    }
  }

  private void pause(Throwable failure, Duration pause) throws InterruptedException {
    String sentence = message(failure);
    LOG.debug("a new start follows in {} s", pause.toSeconds(), failure);
    board.failed(sentence);
    board.enter(MirrorState.RECOVERING);
    listener.failure(sentence, pause);
    engine.truncateToCommitted();
    stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private String message(Throwable failure) {
    return failure instanceof SQLException sql
        ? SourceErrors.sentence(options.source().address(), sql)
        : failure.getMessage() == null
            ? failure.getClass().getSimpleName()
            : failure.getMessage().strip().replaceAll("\\s*\\R\\s*", " ");
  }

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }

  private void closeSession() {
    MirrorSession current = session;
    session = null;
    if (current != null) {
      current.close();
    }
  }

  /** Sends a logical message, so that an idle stream moves; does nothing where the source does not answer. */
  public void wakeStream() {
    MirrorSession current = session;
    if (current != null) {
      current.beat();
    }
  }

  /**
   * @throws IllegalStateException where the source does not answer
   */
  public Lsn currentLsn() {
    MirrorSession current = session;
    if (current == null) {
      throw new IllegalStateException("the source is not connected");
    }
    try {
      return current.currentLsn();
    } catch (SQLException e) {
      throw new IllegalStateException(SourceErrors.sentence(options.source().address(), e), e);
    }
  }

  /** Ends the session after the batch in work, and waits for the end. */
  public void stop() {
    stopping.countDown();
    MirrorSession current = session;
    boolean interrupted = false;
    if (current != null) {
      current.stop();
    }
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    closeSession();
    board.ended(new MirrorEnd(MirrorEnd.Kind.REQUESTED, ""));
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
