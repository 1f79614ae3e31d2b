package dev.rowlog.connector;

import dev.rowlog.connector.catalog.SessionPins;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.SourcePosition;
import dev.rowlog.connector.metrics.LogMetrics;
import dev.rowlog.connector.metrics.MetricFamily;
import dev.rowlog.connector.metrics.PrometheusText;
import dev.rowlog.connector.mirror.CleanRequest;
import dev.rowlog.connector.mirror.CleaningResult;
import dev.rowlog.connector.mirror.Mirror;
import dev.rowlog.connector.mirror.MirrorEnd;
import dev.rowlog.connector.mirror.MirrorListener;
import dev.rowlog.connector.mirror.MirrorState;
import dev.rowlog.connector.mirror.MirrorStatus;
import dev.rowlog.connector.options.Environment;
import dev.rowlog.connector.options.HttpOptions;
import dev.rowlog.connector.options.RowlogOptions;
import dev.rowlog.connector.serve.http.HttpServer;
import dev.rowlog.connector.session.MirrorLoop;
import dev.rowlog.connector.session.StatusBoard;
import dev.rowlog.engine.EngineOptions;
import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.commit.CommittedEnds;
import dev.rowlog.engine.disk.NioDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The wiring and the life of {@code rowlog run}: engine, source, first snapshot, stream, HTTP. Any thread.
 */
public final class RowlogApp implements Mirror, AutoCloseable {
  private static final int TOKEN_BYTES = 24;
  /** Heartbeats that may stay out before the mirror is not ready. */
  private static final int HEARTBEATS_MISSED = 3;
  /**
   * How often a wait sends another message: the one before may have been lost with a broken stream, or lie below what
   * is waited for.
   */
  private static final Duration WAKE_INTERVAL = Duration.ofSeconds(2);

  private final RowlogOptions options;
  private final Environment environment;
  private final LogEngine engine;
  private final StatusBoard board;
  private final MirrorLoop loop;
  private final RequestedCleaning cleaning;
  private final List<Supplier<List<MetricFamily>>> moreMetrics = new CopyOnWriteArrayList<>();
  private HttpServer http;
  private boolean closed;

  private RowlogApp(RowlogOptions options, Environment environment, LogEngine engine, MirrorListener listener) {
    this.options = options;
    this.environment = environment;
    this.engine = engine;
    this.board = new StatusBoard(options.source(), environment.clock(), environment.nanoClock());
    this.loop = new MirrorLoop(options, environment, engine, board, listener);
    this.cleaning = new RequestedCleaning(engine, options.cleaner(), RequestedCleaning::processCpuNanos, listener);
  }

  /** Real disk, real clocks, real chance. */
  public static Environment systemEnvironment() {
    return new Environment(new NioDisk(), InstantSource.system(), System::nanoTime, new SecureRandom());
  }

  /**
   * Opens the data directory, checks the source, starts to mirror in threads of its own.
   *
   * @return once the source was reached and the tables were checked; snapshot and stream follow
   * @throws IllegalStateException where the JVM's time zone is not UTC
   * @throws dev.rowlog.engine.error.LogException where the data directory cannot be opened
   * @throws SourceRefusedException where the source cannot be mirrored, or an address not listened on: one sentence,
   *     exit code 3; a data directory that this start made is gone again
   */
  public static RowlogApp start(RowlogOptions options, Environment environment, MirrorListener listener) {
    Objects.requireNonNull(listener, "listener");
    SessionPins.requireUtcJvm();
    boolean isNew = !environment.disk().exists(options.dataDirectory());
    LogEngine engine = LogEngine.open(
        new EngineOptions(options.dataDirectory(), options.topic(), options.cleaner(), true),
        environment.disk(), environment.clock(), environment.nanoClock(), environment.random());
    RowlogApp app = new RowlogApp(options, environment, engine, listener);
    try {
      app.open();
      return app;
    } catch (RuntimeException e) {
      boolean isEmpty = engine.committed().position().isEmpty();
      app.closeQuietly(e);
      if (isNew && isEmpty) {
        removeQuietly(options.dataDirectory(), e);
      }
      throw e;
    }
  }

  /** A first start that failed leaves nothing: the folder that it made holds no commit. */
  private static void removeQuietly(Path folder, RuntimeException failure) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private void open() {
    loop.prepare();
    HttpOptions listen = options.http();
    if (listen.enabled()) {
      String token = listen.token() == null ? randomToken(environment.random()) : listen.token();
      http = HttpServer.start(listen.host(), listen.port(), token, listen.token() != null, options.dataDirectory(),
          this);
    }
    engine.cleaner().start();
    loop.start();
  }

  private static String randomToken(RandomGenerator random) {
    byte[] bytes = new byte[TOKEN_BYTES];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  @Override
  public MirrorStatus status() {
    return board.status(engine);
  }

  @Override
  public Optional<String> notReady() {
    return board.notReady(options.heartbeat().multipliedBy(HEARTBEATS_MISSED));
  }

  /**
   * Waits until the first snapshot is committed and the stream flows.
   *
   * @return false where the time ran out first
   * @throws IllegalStateException where the mirror ended, with its last words
   */
  public boolean awaitStreaming(Duration timeout) throws InterruptedException {
    boolean streams = board.awaitState(MirrorState.STREAMING, timeout);
    if (!streams) {
      requireRunning();
    }
    return streams;
  }

  @Override
  public boolean awaitCommitted(Lsn lsn, Duration timeout) throws InterruptedException {
    long deadline = environment.nanoClock().getAsLong() + timeout.toNanos();
    while (!isCommitted(engine.committed(), lsn)) {
      requireRunning();
      Duration left = Duration.ofNanos(deadline - environment.nanoClock().getAsLong());
      if (left.isNegative() || left.isZero()) {
        return false;
      }
      loop.wakeStream();
      engine.awaitCommitted(ends -> isCommitted(ends, lsn), left.compareTo(WAKE_INTERVAL) < 0 ? left : WAKE_INTERVAL);
    }
    return true;
  }

  private static boolean isCommitted(CommittedEnds ends, Lsn lsn) {
    return ends.position()
        .map(SourcePosition::parse)
        .filter(position -> position.phase() == SourcePosition.Phase.STREAMING)
        .filter(position -> lsn.isAtOrBelow(position.lsn()))
        .isPresent();
  }

  private void requireRunning() {
    board.end().ifPresent(end -> {
      throw new IllegalStateException("the mirror ended" + (end.message().isEmpty() ? "" : ": " + end.message()));
    });
  }

  /** What {@link #awaitCommitted} is asked for after a write of one's own. */
  @Override
  public Lsn currentLsn() {
    return loop.currentLsn();
  }

  @Override
  public List<CleaningResult> clean(CleanRequest request) {
    return cleaning.run(request);
  }

  @Override
  public String metrics() {
    List<MetricFamily> families = new ArrayList<>(board.metrics(engine));
    families.addAll(LogMetrics.of(engine, environment.clock().millis()));
    moreMetrics.forEach(more -> families.addAll(more.get()));
    return PrometheusText.of(families);
  }

  /** Figures of whoever works beside the mirror, such as its targets; asked for by any thread. */
  public void addMetrics(Supplier<List<MetricFamily>> more) {
    moreMetrics.add(more);
  }

  /** The open engine: for reads, and for the cleaner. */
  public LogEngine engine() {
    return engine;
  }

  /** Where HTTP answers; empty where it is off. */
  public Optional<String> httpAddress() {
    return Optional.ofNullable(http).map(HttpServer::address);
  }

  /** Waits until the mirror ends by itself or by {@link #stop}. */
  public MirrorEnd awaitStopped() throws InterruptedException {
    return board.awaitEnd();
  }

  /** Stops the capture, commits what is whole, closes everything cleanly. Fine when called twice. */
  public synchronized void stop() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      loop.stop();
    } finally {
      closeHttpAndEngine();
    }
  }

  private void closeHttpAndEngine() {
    try {
      if (http != null) {
        http.close();
      }
    } finally {
      engine.close();
    }
  }

  private void closeQuietly(RuntimeException failure) {
    try {
      stop();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** {@link #stop}. */
  @Override
  public void close() {
    stop();
  }
}
