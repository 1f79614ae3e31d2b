package dev.rowlog.connector.session;

import dev.rowlog.connector.capture.CaptureSettings;
import dev.rowlog.connector.capture.CaptureState;
import dev.rowlog.connector.capture.PostgresCapture;
import dev.rowlog.connector.catalog.Relation;
import dev.rowlog.connector.catalog.TableSchema;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.SourcePosition;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.mapping.RowJson;
import dev.rowlog.connector.mapping.TableRecordMapper;
import dev.rowlog.connector.mirror.MirrorListener;
import dev.rowlog.connector.mirror.MirrorState;
import dev.rowlog.connector.mirror.SourceRefusedException;
import dev.rowlog.connector.mirror.TableState;
import dev.rowlog.connector.options.Environment;
import dev.rowlog.connector.options.RowlogOptions;
import dev.rowlog.connector.sink.LogSink;
import dev.rowlog.connector.sink.MirroredTable;
import dev.rowlog.connector.sink.Truncations;
import dev.rowlog.connector.table.FirstSnapshot;
import dev.rowlog.connector.table.SchemaLog;
import dev.rowlog.connector.table.SchemaVersion;
import dev.rowlog.connector.watch.Heartbeats;
import dev.rowlog.connector.watch.SchemaWatch;
import dev.rowlog.connector.watch.SlotWatch;
import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.log.PartitionLog;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * The mirror from one start to the next failure: first snapshot where there is none, then the stream. {@link #mirror}
 * is called once, by the mirror's thread; {@link #stop}, {@link #beat} and {@link #currentLsn} by any.
 */
final class MirrorSession implements AutoCloseable {
  private final RowlogOptions options;
  private final Environment environment;
  private final LogEngine engine;
  private final StatusBoard board;
  private final MirrorListener listener;
  private final CheckedSource source;
  private final MirrorLogs logs;
  private final Heartbeats heartbeats;
  private boolean stopping;
  private FirstSnapshot snapshot;
  private PostgresCapture capture;

  private MirrorSession(
      RowlogOptions options,
      Environment environment,
      LogEngine engine,
      StatusBoard board,
      MirrorListener listener,
      CheckedSource source,
      MirrorLogs logs) {
    this.options = options;
    this.environment = environment;
    this.engine = engine;
    this.board = board;
    this.listener = listener;
    this.source = source;
    this.logs = logs;
    this.heartbeats = new Heartbeats(source.pool()::take, engine, environment.nanoClock(), options.heartbeat(),
        environment.random(), board::heartbeatSent);
  }

  /**
   * Reaches the source, checks it against the last commit, decides what becomes of each table.
   *
   * @throws SQLException where the source does not answer
   * @throws SourceRefusedException where it cannot be mirrored
   */
  static MirrorSession open(
      RowlogOptions options, Environment environment, LogEngine engine, StatusBoard board, MirrorListener listener)
      throws SQLException {
    MirrorLogs logs = MirrorLogs.open(engine, options);
    CheckedSource source = CheckedSource.open(options, engine);
    MirrorSession session = new MirrorSession(options, environment, engine, board, listener, source, logs);
    try {
      session.showTables();
      return session;
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  private void showTables() {
    source.position().ifPresent(board::position);
    TableState fresh = source.isResumed() ? TableState.STREAMING : TableState.WAITING;
    source.plan().mirrored().forEach(relation -> board.table(relation.id(), source.topic(relation.id()), fresh, null));
    source.plan().refused().forEach((table, reason) -> {
      board.table(table, "", TableState.REFUSED, reason);
      listener.tableRefused(table, reason);
    });
    source.plan().stopped()
        .forEach((table, reason) -> board.table(table, source.topic(table), TableState.STOPPED, reason));
    source.plan().newlyStopped().forEach((table, reason) -> {
      board.table(table, source.topic(table), TableState.STOPPED, reason);
      listener.tableStopped(table, reason);
    });
    if (source.plan().mirrored().isEmpty()) {
      throw new SourceRefusedException("no table can be mirrored: " + String.join("; ", reasons()));
    }
  }

  private List<String> reasons() {
    List<String> reasons = new ArrayList<>();
    for (Map<TableId, String> left : List.of(source.plan().refused(), source.plan().stopped(),
        source.plan().newlyStopped())) {
      left.forEach((table, reason) -> reasons.add(reason));
    }
    return reasons;
  }

  /**
   * Mirrors until {@link #stop} or a failure.
   *
   * @return the failure; empty after {@link #stop}
   */
  Optional<Throwable> mirror() throws SQLException, InterruptedException {
    SourcePosition position;
    if (source.isResumed()) {
      position = source.position().orElseThrow();
      logs.commitStops(source.plan().newlyStopped(), position, environment.clock().millis());
    } else {
      Optional<SourcePosition> after = firstSnapshot();
      if (after.isEmpty()) {
        return Optional.empty();
      }
      position = after.get();
    }
    return stream(position);
  }

  /** Empty where it was stopped. */
  private Optional<SourcePosition> firstSnapshot() throws SQLException, InterruptedException {
    SnapshotProgress progress = new SnapshotProgress(options.source().slot(), board, listener);
    FirstSnapshot first = new FirstSnapshot(source.connections(), source.pool(), engine, options.snapshotReaders(),
        progress);
    synchronized (this) {
      if (stopping) {
        return Optional.empty();
      }
      snapshot = first;
    }
    board.snapshotStarts();
    board.enter(MirrorState.SNAPSHOTTING);
    long start = environment.nanoClock().getAsLong();
    Map<Relation, PartitionLog> tables = new LinkedHashMap<>();
    source.plan().mirrored().forEach(relation -> tables.put(relation, logs.table(source.topic(relation.id()))));
    FirstSnapshot.Outcome outcome;
    try {
      outcome = first.run(source.intent(), options.source().publication(), tables, logs.schemas(), logs.status());
    } catch (CancellationException e) {
      return Optional.empty();
    }
    board.position(outcome.position());
    tables.forEach((relation, log) -> board.table(
        relation.id(), log.topicPartition().topic(), TableState.STREAMING, null));
    outcome.stopped().forEach((table, reason) -> {
      board.table(table, source.topic(table), TableState.STOPPED, reason);
      listener.tableStopped(table, reason);
    });
    listener.snapshotDone(outcome.rows(), Duration.ofNanos(environment.nanoClock().getAsLong() - start));
    if (board.nothingLeft()) {
      throw new SourceRefusedException("no table can be mirrored: " + String.join("; ", outcome.stopped().values()));
    }
    return Optional.of(outcome.position());
  }

  private Optional<Throwable> stream(SourcePosition position) throws InterruptedException {
    List<Relation> streaming = source.plan().mirrored().stream().filter(relation -> !board.isStopped(relation.id()))
        .toList();
    List<TableSchema> schemas = streaming.stream().map(Relation::schema).toList();
    List<MirroredTable> tables = streaming.stream()
        .map(relation -> new MirroredTable(
            relation.id(),
            logs.table(source.topic(relation.id())),
            new TableRecordMapper(new RowJson(relation.schema())),
            relation.schema().version()))
        .toList();
    Map<TableId, SchemaVersion> versions = SchemaLog.newest(engine);
    versions.keySet().retainAll(streaming.stream().map(Relation::id).toList());
    SchemaWatch watch = new SchemaWatch(source.pool(), options.source().publication(), versions, position.lsn(),
        Truncations.read(engine));
    LogSink sink = new LogSink(engine, position, tables, logs.status(),
        new CommitEvents(board, listener, heartbeats, watch));
    CaptureSettings settings = new CaptureSettings(source.connections(), options.source().slot(),
        options.source().publication(),
        schemas, options.source().debezium());
    PostgresCapture stream = new PostgresCapture(settings, sink, state -> captureBecame(state, position.lsn()));
    synchronized (this) {
      if (stopping) {
        return Optional.empty();
      }
      capture = stream;
      stream.start(position);
    }
    SchemaWatch.Findings findings = new SchemaWatch.Findings() {
      @Override
      public void broken(TableId table, String reason) {
        sink.stopTable(table, reason);
      }

      @Override
      public void changed(SchemaVersion version) {
        sink.append(logs.schemas(), version.toRecord(environment.clock().millis()));
      }
    };
    SlotWatch slot = new SlotWatch(source.pool(), options.source().slot());
    heartbeats.start(() -> {
      watch.look(findings);
      board.source(slot.look());
    });
    CaptureState end = stream.awaitEnd();
    heartbeats.stop();
    return end instanceof CaptureState.Failed failed
        ? Optional.of(new StreamBrokenException(failed.reason(), failed.cause()))
        : Optional.empty();
  }

  /** The stream ended by itself; the message is the innermost reason. */
  private static final class StreamBrokenException extends RuntimeException {
    StreamBrokenException(String reason, Throwable cause) {
      super("the stream broke: " + reason, cause);
    }
  }

  private void captureBecame(CaptureState state, Lsn from) {
    if (state instanceof CaptureState.Streaming) {
      board.enter(MirrorState.STREAMING);
      listener.streaming(from);
    }
  }

  /** Sends a logical message; nothing where the source does not answer. */
  void beat() {
    heartbeats.beat();
  }

  Lsn currentLsn() throws SQLException {
    return heartbeats.currentLsn();
  }

  /** Ends {@link #mirror} soon; waits until no batch is in work. */
  void stop() {
    FirstSnapshot runningSnapshot;
    PostgresCapture runningCapture;
    synchronized (this) {
      stopping = true;
      runningSnapshot = snapshot;
      runningCapture = capture;
    }
    if (runningSnapshot != null) {
      runningSnapshot.cancel();
    }
    if (runningCapture != null) {
      try {
        runningCapture.stop();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Gives the connections back; {@link #mirror} is over. */
  @Override
  public void close() {
    heartbeats.stop();
    source.close();
  }
}
