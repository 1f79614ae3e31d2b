package dev.rowlog.connector;

import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.mirror.CleanRequest;
import dev.rowlog.connector.mirror.CleanedLog;
import dev.rowlog.connector.mirror.Mirror;
import dev.rowlog.connector.mirror.MirrorEnd;
import dev.rowlog.connector.mirror.MirrorListener;
import dev.rowlog.connector.mirror.MirrorStatus;
import dev.rowlog.engine.LogEngine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The wiring and the life of {@code rowlog run}: engine, source, first snapshot, stream, HTTP. Any thread.
 */
public final class RowlogApp implements Mirror, AutoCloseable {

  private RowlogApp() {}

  /** Real disk, real clocks, real chance. */
  public static Environment systemEnvironment() {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * Opens the data directory, checks the source, starts to mirror in threads of its own.
   *
   * @return once the source was reached and the tables were checked; snapshot and stream follow
   * @throws dev.rowlog.engine.error.LogException where the data directory cannot be opened
   * @throws RuntimeException where the source refuses: one sentence, exit code 3
   */
  public static RowlogApp start(RowlogOptions options, Environment environment, MirrorListener listener) {
    throw new UnsupportedOperationException("skeleton");
  }

  @Override
  public MirrorStatus status() {
    throw new UnsupportedOperationException("skeleton");
  }

  @Override
  public Optional<String> notReady() {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * Waits until the first snapshot is committed and the stream flows.
   *
   * @return false where the time ran out first
   * @throws IllegalStateException where the mirror ended, with its last words
   */
  public boolean awaitStreaming(Duration timeout) throws InterruptedException {
    throw new UnsupportedOperationException("skeleton");
  }

  @Override
  public boolean awaitCommitted(Lsn lsn, Duration timeout) throws InterruptedException {
    throw new UnsupportedOperationException("skeleton");
  }

  /** The source's current write position: what {@link #awaitCommitted} is asked for after a write of one's own. */
  public Lsn currentLsn() {
    throw new UnsupportedOperationException("skeleton");
  }

  @Override
  public List<CleanedLog> clean(CleanRequest request) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** The open engine: for reads, and for the cleaner. */
  public LogEngine engine() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Where HTTP answers; empty where it is off. */
  public Optional<String> httpAddress() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Waits until the mirror ends by itself or by {@link #stop}. */
  public MirrorEnd awaitStopped() throws InterruptedException {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Stops the capture, commits what is whole, closes everything cleanly. Fine when called twice. */
  public void stop() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** {@link #stop}. */
  @Override
  public void close() {
    stop();
  }
}
