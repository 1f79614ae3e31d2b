package dev.rowlog.connector.capture;

import dev.rowlog.connector.capture.slot.SlotGuard;
import dev.rowlog.connector.catalog.SessionPins;
import dev.rowlog.connector.change.SourceEvent;
import dev.rowlog.connector.change.SourcePosition;
import dev.rowlog.connector.sink.MirrorSink;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the change stream to a sink, from a position on, until it is stopped or fails; then it can be started again. It never restarts by itself and
 * repeats nothing: whoever owns it decides. Methods: any thread but the sink's; the sink is called by one thread at a time.
 */
public final class PostgresCapture implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresCapture.class);
  /** Debezium waits up to 90 s for a thread of its own that may hang in the network. Nothing of ours hangs on it by then. */
  private static final Duration CLOSE_GRACE = Duration.ofSeconds(10);

  private final CaptureSettings settings;
  private final MirrorSink sink;
  private final Consumer<CaptureState> listener;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  /** Held while a batch is in the sink: closing the engine interrupts its thread, which would close the sink's files. */
  private final ReentrantLock batch = new ReentrantLock();

  private volatile CaptureState state = new CaptureState.Stopped();
  private volatile Run run;

  /**
   * @param listener told of each new state, by the thread that made it
   */
  public PostgresCapture(CaptureSettings settings, MirrorSink sink, Consumer<CaptureState> listener) {
    this.settings = settings;
    this.sink = sink;
    this.listener = listener;
  }

  public CaptureState state() {
    return state;
  }

  /**
   * Starts from the last commit, in a thread of its own. Returns at once; what goes wrong is told by the state.
   *
   * @param position the last commit, with an LSN
   * @throws IllegalStateException where it runs already
   */
  public void start(SourcePosition position) {
    SessionPins.requireUtcJvm();
    Run next = new Run(position);
    lock.lock();
    try {
      if (!state.isOver()) {
        throw new IllegalStateException("the capture is already running");
      }
      run = next;
      become(new CaptureState.Starting(position));
    } finally {
      lock.unlock();
    }
    Thread thread = new Thread(next, "rowlog-capture");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Stops after the batch that the sink has, and waits for the end; where the engine does not end in time, it is left alone: it reaches the sink no
   * more. Does nothing where it does not run.
   */
  public void stop() throws InterruptedException {
    Run current = run;
    lock.lock();
    try {
      if (state.isOver()) {
        return;
      }
      become(new CaptureState.Stopping());
    } finally {
      lock.unlock();
    }
    current.leaveSink();
    Thread closing = new Thread(current::close, "rowlog-capture-close");
    closing.setDaemon(true);
    closing.start();
    if (!awaitEnd(CLOSE_GRACE)) {
      LOG.warn("the capture engine did not close within {}; it is left alone", CLOSE_GRACE);
      current.end(new CaptureState.Stopped());
    }
  }

  private boolean awaitEnd(Duration timeout) throws InterruptedException {
    long left = timeout.toNanos();
    lock.lock();
    try {
      while (!state.isOver() && left > 0) {
        left = changed.awaitNanos(left);
      }
      return state.isOver();
    } finally {
      lock.unlock();
    }
  }

  /** {@link #stop}; an interrupt ends the waiting, not the stopping. */
  @Override
  public void close() {
    try {
      stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits for the first event of the stream.
   *
   * @throws IllegalStateException where the capture ended instead
   */
  public void awaitStreaming(Duration timeout) throws InterruptedException, TimeoutException {
    long left = timeout.toNanos();
    lock.lock();
    try {
      while (!(state instanceof CaptureState.Streaming)) {
        if (state instanceof CaptureState.Failed failed) {
          throw new IllegalStateException("the capture failed: " + failed.reason(), failed.cause());
        }
        if (state.isOver()) {
          throw new IllegalStateException("the capture was stopped");
        }
        if (left <= 0) {
          throw new TimeoutException("no event of the change stream within " + timeout);
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until nothing runs; returns Stopped or Failed. */
  public CaptureState awaitEnd() throws InterruptedException {
    lock.lock();
    try {
      while (!state.isOver()) {
        changed.await();
      }
      return state;
    } finally {
      lock.unlock();
    }
  }

  private void become(CaptureState next) {
    lock.lock();
    try {
      state = next;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    listener.accept(next);
  }

  /** One start of the engine. */
  private final class Run implements Runnable, DebeziumEngine.ChangeConsumer<RecordChangeEvent<SourceRecord>> {
    private final SourcePosition position;
    /** The engine cannot be closed while its tasks start. */
    private final CountDownLatch closable = new CountDownLatch(1);
    private volatile DebeziumEngine<?> engine;
    private volatile boolean stopping;
    private volatile Throwable failure;
    private final AtomicBoolean ended = new AtomicBoolean();
    private ChangeDecoder decoder;

    Run(SourcePosition position) {
      this.position = position;
    }

    @Override
    public void run() {
      try {
        new SlotGuard(settings.connections()).check(position);
        decoder = new ChangeDecoder(settings.tables(), new TransactionIds(nextTransactionId()));
        if (resetSink()) {
          runEngine();
        }
      } catch (Exception | Error e) {
        // An error too: a capture that dies of it must not look like one that was stopped.
        keep(e);
      } finally {
        closable.countDown();
        Throwable cause = failure;
        end(cause == null ? new CaptureState.Stopped() : new CaptureState.Failed(FailureReason.of(cause), cause));
      }
    }

    /** Once: a run that was left alone says nothing more. */
    private void end(CaptureState last) {
      if (ended.compareAndSet(false, true)) {
        become(last);
      }
    }

    /** False where it is to stop already. */
    private boolean resetSink() {
      batch.lock();
      try {
        if (!stopping) {
          sink.reset();
        }
        return !stopping;
      } finally {
        batch.unlock();
      }
    }

    private void runEngine() {
      DebeziumEngine<RecordChangeEvent<SourceRecord>> created = DebeziumEngine
          .create(ChangeEventFormat.of(Connect.class))
          .using(DebeziumProperties.of(settings, position.lsn()))
          .using(getClass().getClassLoader())
          .using((DebeziumEngine.CompletionCallback) this::completed)
          .using(new Progress())
          .notifying(this)
          .build();
      engine = created;
      // Returns when everything is closed, whether it was told to stop or failed.
      created.run();
    }

    private void completed(boolean success, String message, Throwable error) {
      if (!success && !stopping) {
        keep(error != null ? error : new IllegalStateException("the engine ended: " + message));
      }
    }

    /** Keeps the first failure: what follows is its consequence. */
    private synchronized void keep(Throwable problem) {
      if (failure == null) {
        failure = problem;
      }
    }

    /** Afterwards no batch is in the sink, and none will be. */
    private void leaveSink() {
      stopping = true;
      batch.lock();
      batch.unlock();
    }

    /** The engine may interrupt its threads now: none is in the sink. */
    private void close() {
      try {
        closable.await();
        DebeziumEngine<?> current = engine;
        if (current != null) {
          current.close();
        }
      } catch (IOException e) {
        keep(e);
      } catch (IllegalStateException e) {
        LOG.debug("the engine ended by itself at the same moment", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void handleBatch(List<RecordChangeEvent<SourceRecord>> records,
        RecordCommitter<RecordChangeEvent<SourceRecord>> committer) throws InterruptedException {
      batch.lock();
      try {
        // What is not marked comes again with the next start.
        if (stopping || failure != null) {
          return;
        }
        int durable = deliver(records);
        if (durable >= 0) {
          committer.markProcessed(records.get(durable));
        }
        committer.markBatchFinished();
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception | Error e) {
        keep(e);
        // Of our own kind: a RetriableException would make the engine drop this batch and go on with the next one.
        throw new CaptureEndedException(e);
      } finally {
        batch.unlock();
      }
    }

    /** Index of the last record that is durable, -1 for none. */
    private int deliver(List<RecordChangeEvent<SourceRecord>> records) {
      List<SourceEvent> events = new ArrayList<>(records.size());
      int[] places = new int[records.size()];
      for (int i = 0; i < records.size(); i++) {
        Optional<SourceEvent> event = decoder.decode(records.get(i).record());
        if (event.isPresent()) {
          places[events.size()] = i;
          events.add(event.get());
        }
      }
      if (events.isEmpty()) {
        return -1;
      }
      if (state instanceof CaptureState.Starting) {
        become(new CaptureState.Streaming(position));
      }
      int durable = sink.accept(events);
      return durable < 0 ? -1 : places[durable];
    }

    private final class Progress implements DebeziumEngine.ConnectorCallback {
      @Override
      public void pollingStarted() {
        try {
          new Heartbeat(settings.connections()::connect).emit("start");
        } catch (SQLException e) {
          // The stream tells better what is wrong with the server; without the message we only wait for its first event.
          return;
        } finally {
          closable.countDown();
        }
      }
    }
  }

  private long nextTransactionId() throws SQLException {
    try (Connection connection = settings.connections().connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement
            .executeQuery("select pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::text::bigint")) {
      result.next();
      return result.getLong(1);
    }
  }

  /** Ends the engine; the cause has been kept. */
  private static final class CaptureEndedException extends RuntimeException {
    CaptureEndedException(Throwable cause) {
      super(cause.getMessage(), cause);
    }
  }
}
