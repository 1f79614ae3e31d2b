package dev.rowlog.connector.session;

import dev.rowlog.connector.change.SourcePosition;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.metrics.MetricFamily;
import dev.rowlog.connector.metrics.MirrorCounters;
import dev.rowlog.connector.metrics.MirrorMetrics;
import dev.rowlog.connector.metrics.SourceFigures;
import dev.rowlog.connector.mirror.CommittedTransaction;
import dev.rowlog.connector.mirror.MirrorEnd;
import dev.rowlog.connector.mirror.MirrorState;
import dev.rowlog.connector.mirror.MirrorStatus;
import dev.rowlog.connector.mirror.TableState;
import dev.rowlog.connector.mirror.TableStatus;
import dev.rowlog.connector.options.SourceOptions;
import dev.rowlog.connector.sink.LogWrites;
import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * What is known of the mirror's state: written by its threads, read by everybody. Guarded by its monitor, under which
 * nothing else is called but the engine's reading methods.
 */
public final class StatusBoard {
  private static final double MS_A_SECOND = 1000;
  private static final double MICROS_A_MS = 1000;

  private final SourceOptions source;
  private final InstantSource clock;
  private final LongSupplier nanoClock;
  private final Instant startedAt;
  private final MirrorCounters counters = new MirrorCounters();
  private final StreamLag lag;
  private final Map<TableId, Entry> tables = new TreeMap<>();
  private SourceFigures figures;
  private MirrorState state = MirrorState.STARTING;
  private Instant stateSince;
  private long stateSinceNanos;
  private SourcePosition position;
  private int restarts;
  private String lastError;
  private Instant lastErrorAt;
  private long heartbeatNanos;
  private boolean heartbeatSeen;
  private MirrorEnd end;

  private static final class Entry {
    private String topic = "";
    private TableState state = TableState.WAITING;
    private long snapshotRows;
    private long snapshotRowsTotal;
    private String reason;
  }

  public StatusBoard(SourceOptions source, InstantSource clock, LongSupplier nanoClock) {
    this.source = source;
    this.clock = clock;
    this.nanoClock = nanoClock;
    this.startedAt = clock.instant();
    this.lag = new StreamLag(nanoClock);
    this.stateSince = startedAt;
    this.stateSinceNanos = nanoClock.getAsLong();
  }

  synchronized void enter(MirrorState next) {
    if (state != next) {
      state = next;
      stateSince = clock.instant();
      stateSinceNanos = nanoClock.getAsLong();
      if (next != MirrorState.STREAMING) {
        heartbeatSeen = false;
        figures = null;
        lag.sent(stateSinceNanos);
      }
    }
    notifyAll();
  }

  synchronized MirrorState state() {
    return state;
  }

  /** How long the stream has been flowing by now; zero where it does not. */
  synchronized Duration streamedFor() {
    return state == MirrorState.STREAMING
        ? Duration.ofNanos(nanoClock.getAsLong() - stateSinceNanos)
        : Duration.ZERO;
  }

  synchronized void position(SourcePosition newest) {
    position = newest;
  }

  synchronized void table(TableId table, String topic, TableState next, String reason) {
    Entry entry = tables.computeIfAbsent(table, key -> new Entry());
    entry.topic = topic;
    entry.state = next;
    entry.reason = reason;
  }

  /** Leaves the topic as it is. */
  synchronized void stopped(TableId table, String reason) {
    table(table, tables.containsKey(table) ? tables.get(table).topic : "", TableState.STOPPED, reason);
  }

  synchronized boolean isStopped(TableId table) {
    return tables.containsKey(table) && tables.get(table).state == TableState.STOPPED;
  }

  synchronized void snapshotRows(TableId table, long rows, long total) {
    Entry entry = tables.computeIfAbsent(table, key -> new Entry());
    // Readers report side by side: the larger number is the newer.
    entry.snapshotRows = Math.max(entry.snapshotRows, rows);
    entry.snapshotRowsTotal = total;
  }

  synchronized void snapshotStarts() {
    tables.values().forEach(entry -> {
      entry.snapshotRows = 0;
      if (entry.state == TableState.WAITING) {
        entry.state = TableState.SNAPSHOTTING;
      }
    });
  }

  /** True where no table is mirrored any longer. */
  synchronized boolean nothingLeft() {
    return tables.values().stream()
        .allMatch(entry -> entry.state == TableState.REFUSED || entry.state == TableState.STOPPED);
  }

  synchronized void failed(String sentence) {
    lastError = sentence;
    lastErrorAt = clock.instant();
  }

  /** Returns how many restarts there now were. */
  synchronized int restarted() {
    return ++restarts;
  }

  /**
   * @param sentNanos reading of the nano clock when it was sent
   */
  synchronized void heartbeatReturned(long sentNanos) {
    heartbeatNanos = sentNanos;
    heartbeatSeen = true;
    lag.returned(sentNanos);
    notifyAll();
  }

  /**
   * @param nanos reading of the nano clock
   */
  synchronized void heartbeatSent(long nanos) {
    lag.sent(nanos);
  }

  synchronized void source(SourceFigures newest) {
    figures = newest;
  }

  void committed(CommittedTransaction transaction) {
    counters.transaction((clock.millis() - transaction.commitTimestampMicros() / MICROS_A_MS) / MS_A_SECOND);
  }

  void committed(LogWrites writes) {
    counters.written(writes.topic(), writes.rows(), writes.tombstones(), writes.bytes(), writes.toastFills());
  }

  /** Of the mirror as a whole; without its logs. */
  public List<MetricFamily> metrics(LogEngine engine) {
    MirrorStatus status = status(engine);
    synchronized (this) {
      return MirrorMetrics.of(status, lag.lag(), Optional.ofNullable(figures), counters);
    }
  }

  synchronized void ended(MirrorEnd how) {
    if (end == null) {
      end = how;
    }
    enter(MirrorState.STOPPED);
  }

  public synchronized Optional<MirrorEnd> end() {
    return Optional.ofNullable(end);
  }

  public synchronized MirrorEnd awaitEnd() throws InterruptedException {
    while (end == null) {
      wait();
    }
    return end;
  }

  /** False where the time ran out, or the mirror ended first. */
  public synchronized boolean awaitState(MirrorState wanted, Duration timeout) throws InterruptedException {
    long deadline = nanoClock.getAsLong() + timeout.toNanos();
    while (state != wanted && end == null) {
      long leftMs = (deadline - nanoClock.getAsLong()) / 1_000_000L;
      if (leftMs <= 0) {
        return false;
      }
      wait(leftMs);
    }
    return state == wanted;
  }

  /** Why readers of {@code /ready} are told no; empty where all is well. */
  public synchronized Optional<String> notReady(Duration heartbeatBound) {
    if (end != null) {
      return Optional.of("the mirror ended: " + end.message());
    }
    return switch (state) {
      case STARTING -> Optional.of("the mirror is starting");
      case SNAPSHOTTING -> Optional.of("the first snapshot is not complete");
      case RECOVERING -> Optional.of("the stream broke and starts again: " + lastError);
      case STOPPED -> Optional.of("the mirror ended");
      case STREAMING -> lateHeartbeat(heartbeatBound);
    };
  }

  private Optional<String> lateHeartbeat(Duration bound) {
    if (!heartbeatSeen) {
      return Optional.of("no heartbeat has come round through the logs yet");
    }
    Duration age = Duration.ofNanos(nanoClock.getAsLong() - heartbeatNanos);
    return age.compareTo(bound) <= 0
        ? Optional.empty()
        : Optional
            .of("the last heartbeat that came round through the logs was sent " + age.toSeconds() + " s ago, more than "
                + bound.toSeconds() + " s");
  }

  public synchronized MirrorStatus status(LogEngine engine) {
    List<TableStatus> shown = new ArrayList<>();
    tables.forEach((table, entry) -> shown.add(table(table, entry, state, engine)));
    boolean complete = position != null && position.phase() == SourcePosition.Phase.STREAMING;
    return new MirrorStatus(
        state,
        stateSince,
        startedAt,
        source.address().database(),
        position == null ? null : position.systemIdentifier(),
        position == null ? 0 : position.timeline(),
        source.slot(),
        source.publication(),
        complete ? position.lsn() : null,
        complete && position.commitTimestampMicros() > 0 ? instant(position.commitTimestampMicros()) : null,
        heartbeatSeen ? Duration.ofNanos(nanoClock.getAsLong() - heartbeatNanos) : null,
        restarts,
        lastError,
        lastErrorAt,
        shown);
  }

  private static TableStatus table(TableId table, Entry entry, MirrorState mirror, LogEngine engine) {
    Optional<PartitionLog> log = entry.topic.isEmpty() ? Optional.empty() : engine.log(TopicPartition.of(entry.topic));
    return new TableStatus(
        table,
        entry.topic,
        entry.state == TableState.STREAMING ? whileMirrored(mirror) : entry.state,
        log.map(PartitionLog::highWatermark).orElse(0L),
        log.map(PartitionLog::sizeBytes).orElse(0L),
        entry.snapshotRows,
        entry.snapshotRowsTotal,
        entry.reason);
  }

  /** Of a table that is mirrored: it streams only while the mirror does. */
  private static TableState whileMirrored(MirrorState mirror) {
    return switch (mirror) {
      case STREAMING -> TableState.STREAMING;
      case SNAPSHOTTING -> TableState.SNAPSHOTTING;
      case RECOVERING -> TableState.RECOVERING;
      case STARTING, STOPPED -> TableState.WAITING;
    };
  }

  private static Instant instant(long micros) {
    return Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000L);
  }
}
