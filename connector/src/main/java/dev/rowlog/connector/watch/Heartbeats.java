package dev.rowlog.connector.watch;

import dev.rowlog.connector.capture.Heartbeat;
import dev.rowlog.connector.catalog.ConnectionSource;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.engine.LogEngine;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a logical message round at intervals, and does on the same thread what is due now and then: looks for changed
 * tables, writes the engine's checkpoints. Methods from any thread.
 */
public final class Heartbeats {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);
  /** Beats between two checkpoints of the engine. */
  private static final int BEATS_A_CHECKPOINT = 12;

  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

  private final ConnectionSource source;
  private final LogEngine engine;
  private final LongSupplier nanoClock;
  private final Duration interval;
  private final Heartbeat heartbeat;
  private final String run;
  private final LongConsumer sent;
  private ScheduledExecutorService timer;
  private long beats;

  /**
   * @param random makes messages of this run different from those of others
   * @param sent hears the nano clock's reading of each message before it is sent
   */
  public Heartbeats(ConnectionSource source, LogEngine engine, LongSupplier nanoClock, Duration interval,
      RandomGenerator random, LongConsumer sent) {
    this.source = source;
    this.engine = engine;
    this.nanoClock = nanoClock;
    this.interval = interval;
    this.heartbeat = new Heartbeat(source);
    this.sent = sent;
    this.run = Long.toHexString(random.nextLong());
  }

  /** Looks for changed tables before each beat, so that the beat carries what it found. */
  public interface Look {
    void look() throws SQLException;
  }

  /** Beats at once, and from now on. */
  public synchronized void start(Look look) {
    timer = Executors.newSingleThreadScheduledExecutor(task -> {
      Thread thread = new Thread(task, "rowlog-heartbeat");
      thread.setDaemon(true);
      return thread;
    });
    timer.scheduleWithFixedDelay(() -> tick(look), 0, interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Lets a beat in work end, so that its connection stays whole. Fine when it never started. */
  public void stop() {
    ScheduledExecutorService running;
    synchronized (this) {
      running = timer;
      timer = null;
    }
    if (running == null) {
      return;
    }
    running.shutdown();
    try {
      if (!running.awaitTermination(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        running.shutdownNow();
      }
    } catch (InterruptedException e) {
      running.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private void tick(Look look) {
    try {
      beats++;
      look.look();
      beat();
      if (beats % BEATS_A_CHECKPOINT == 0) {
        engine.checkpoint();
      }
    } catch (SQLException | RuntimeException e) {
      // A source that is away ends the stream, which tells it better; a missing heartbeat shows in /ready.
      LOG.debug("a heartbeat was left out", e);
    } catch (Error e) {
      // The timer would keep it to itself and beat no more.
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
      throw e;
    }
  }

  /** Sends one message; nothing where the source does not answer. */
  public void beat() {
    long nanos = nanoClock.getAsLong();
    sent.accept(nanos);
    try {
      heartbeat.emit("heartbeat " + run + " " + nanos);
    } catch (SQLException e) {
      LOG.debug("no heartbeat could be sent", e);
    }
  }

  /** When this message of this run was sent, by the nano clock; empty where it is another. */
  public OptionalLong sentNanos(String prefix, byte[] content) {
    String[] words = new String(content, StandardCharsets.UTF_8).split(" ");
    return prefix.equals(Heartbeat.PREFIX) && words.length == 3 && words[0].equals("heartbeat") && words[1].equals(run)
        ? OptionalLong.of(Long.parseLong(words[2]))
        : OptionalLong.empty();
  }

  /** Where the source writes next. */
  public Lsn currentLsn() throws SQLException {
    try (Connection connection = source.open();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select pg_catalog.pg_current_wal_insert_lsn()")) {
      result.next();
      return Lsn.parse(result.getString(1));
    }
  }
}
