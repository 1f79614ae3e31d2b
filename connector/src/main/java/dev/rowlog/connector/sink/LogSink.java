package dev.rowlog.connector.sink;

import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.SourceEvent;
import dev.rowlog.connector.change.SourcePosition;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.mapping.MappingException;
import dev.rowlog.connector.mirror.CommittedTransaction;
import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.error.RecordTooLargeException;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.record.Record;
import dev.rowlog.engine.record.RecordBatchLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Mirrors the stream into the logs: map, append, commit; what is not committed is not acknowledged (D6).
 *
 * <p>Invariant: a log's batches end at commits, and what lies beyond the last commit belongs to transactions whose
 * END has not come. A table whose row cannot be mapped exactly, or is too large for a batch, stops with the transaction that holds it; the stop is
 * part of that commit. One thread, the capture's, but for {@link #stopTable}.
 */
public final class LogSink implements MirrorSink {
  /** Heap for the keys of one range while a TRUNCATE is carried out. */
  private static final long TRUNCATE_BUDGET_BYTES = 64L << 20;

  private final LogEngine engine;
  private final SinkListener listener;
  private final PartitionLog statusLog;
  private final int maxBatchBytes;
  private final Map<TableId, MirroredTable> tables = new HashMap<>();
  private final Map<TopicPartition, TableWriter> writers = new LinkedHashMap<>();
  private final Set<TableWriter> touched = new LinkedHashSet<>();
  private final List<CommittedTransaction> group = new ArrayList<>();
  private final List<SourceEvent.Message> messages = new ArrayList<>();
  private final Map<TableId, String> groupStops = new LinkedHashMap<>();
  /** Tables that stop with the next commit: taken back where that does not come. */
  private final List<MirroredTable> stoppedInGroup = new ArrayList<>();
  private final Map<TableId, Lsn> groupTruncations = new LinkedHashMap<>();
  private final Map<TableId, String> requestedStops = new ConcurrentHashMap<>();
  private final Queue<Requested> requestedRecords = new ConcurrentLinkedQueue<>();
  private SourcePosition committed;
  private SourcePosition reached;
  private OpenTransaction open;

  /**
   * @param committed position of the last commit, in phase STREAMING
   * @param tables those that go on; events of others are dropped
   * @param statusLog {@link StoppedTables#TOPIC}
   */
  public LogSink(
      LogEngine engine,
      SourcePosition committed,
      List<MirroredTable> tables,
      PartitionLog statusLog,
      SinkListener listener) {
    this(engine, committed, tables, statusLog, listener, RecordBatchLayout.MAX_BATCH_BYTES);
  }

  /**
   * @param maxBatchBytes more than an open transaction holds back: a row that is too large has always spilled it
   */
  LogSink(LogEngine engine, SourcePosition committed, List<MirroredTable> tables, PartitionLog statusLog,
      SinkListener listener, int maxBatchBytes) {
    if (maxBatchBytes <= OpenTransaction.HELD_BYTES) {
      throw new IllegalArgumentException(
          "maxBatchBytes " + maxBatchBytes + " is not above " + OpenTransaction.HELD_BYTES);
    }
    this.engine = Objects.requireNonNull(engine, "engine");
    this.committed = Objects.requireNonNull(committed, "committed");
    this.reached = committed;
    this.statusLog = Objects.requireNonNull(statusLog, "statusLog");
    this.listener = Objects.requireNonNull(listener, "listener");
    this.maxBatchBytes = maxBatchBytes;
    tables.forEach(table -> this.tables.put(table.table(), table));
  }

  private record Requested(PartitionLog log, Record record) {}

  @Override
  public int accept(List<SourceEvent> events) {
    int last = lastBoundary(events, open != null);
    for (int i = 0; i < events.size(); i++) {
      take(events.get(i));
      if (i == last) {
        commit();
      }
    }
    return last;
  }

  @Override
  public void reset() {
    open = null;
    group.clear();
    messages.clear();
    groupStops.clear();
    groupTruncations.clear();
    stoppedInGroup.forEach(table -> tables.put(table.table(), table));
    stoppedInGroup.clear();
    touched.clear();
    reached = committed;
    engine.truncateToCommitted();
    writers.values().forEach(TableWriter::reset);
  }

  /** Index of the last event after which nothing is half done; -1 for none. */
  static int lastBoundary(List<SourceEvent> events, boolean openBefore) {
    boolean inTransaction = openBefore;
    int last = -1;
    for (int i = 0; i < events.size(); i++) {
      SourceEvent event = events.get(i);
      if (event instanceof SourceEvent.Begin) {
        inTransaction = true;
      } else if (event instanceof SourceEvent.End) {
        inTransaction = false;
        last = i;
      } else if (event instanceof SourceEvent.Message message && !message.transactional() && !inTransaction) {
        last = i;
      }
    }
    return last;
  }

  /** Stops a table with the next new message outside a transaction: so the caller sends one. Any thread. */
  public void stopTable(TableId table, String reason) {
    requestedStops.put(table, reason);
  }

  /**
   * Appends a record of our own bookkeeping with the next new message outside a transaction. It may be lost where the stream ends before. Any thread.
   */
  public void append(PartitionLog log, Record record) {
    requestedRecords.add(new Requested(log, record));
  }

  private void take(SourceEvent event) {
    if (event instanceof SourceEvent.Row row) {
      takeRow(row);
    } else if (event instanceof SourceEvent.Begin begin) {
      takeBegin(begin);
    } else if (event instanceof SourceEvent.End end) {
      takeEnd(end);
    } else if (event instanceof SourceEvent.Truncate truncate) {
      takeTruncate(truncate);
    } else if (event instanceof SourceEvent.Altered altered) {
      takeAltered(altered);
    } else if (event instanceof SourceEvent.Message message) {
      takeMessage(message);
    }
  }

  private void takeBegin(SourceEvent.Begin begin) {
    if (open != null) {
      throw new SourceProtocolException(
          "BEGIN of transaction " + begin.transactionId() + " came before the END of transaction "
              + open.id() + ": the stream was started again without a reset");
    }
    open = new OpenTransaction(begin.transactionId());
  }

  private void takeRow(SourceEvent.Row row) {
    requireOpen("a row of " + row.table(), row.transactionId());
    open.countEvent(row.table());
    MirroredTable table = active(row.table());
    if (table == null) {
      return;
    }
    try {
      for (Record record : table.mapper().map(row, key -> lastValue(table, key))) {
        put(table, record);
      }
    } catch (MappingException e) {
      stop(table, e.getMessage());
    }
  }

  /** Null where the key has no row. */
  private byte[] lastValue(MirroredTable table, byte[] key) {
    Optional<Record> held = open.newest(table, key);
    if (held.isPresent()) {
      return held.get().value();
    }
    try {
      TableWriter writer = writer(table.log());
      writer.tally().countToastFill();
      return writer.lastRows().find(key);
    } catch (OutOfMemoryError e) {
      throw new MappingException(table.table(),
          "the index of its last rows, which a TOASTed value is taken from, finds no direct memory; raise ROWLOG_DIRECT_MEMORY");
    }
  }

  private void takeTruncate(SourceEvent.Truncate truncate) {
    requireOpen("a TRUNCATE of " + truncate.table(), truncate.transactionId());
    open.countEvent(truncate.table());
    MirroredTable table = active(truncate.table());
    if (table == null) {
      return;
    }
    // The scan sees what this transaction wrote before only once it lies in the log.
    spill();
    TableWriter writer = writer(table.log());
    writer.flush();
    long timestampMs = Math.floorDiv(truncate.commitTimestampMicros(), 1000L);
    LiveKeys.forEach(table.log(), TRUNCATE_BUDGET_BYTES, key -> put(table,
        new Record(-1, timestampMs, key, null, TruncateHeaders.of(truncate, table.schemaVersion()))));
    open.truncate(truncate.table());
  }

  private void takeAltered(SourceEvent.Altered altered) {
    requireOpen("a row of " + altered.table(), altered.transactionId());
    open.countEvent(altered.table());
    MirroredTable table = active(altered.table());
    if (table != null) {
      stop(table, altered.table() + " was altered: " + altered.difference() + "; its row at " + altered.lsn()
          + " cannot be printed exactly; mirror it again from the start, with another data.dir and source.slot");
    }
  }

  private void takeMessage(SourceEvent.Message message) {
    if (open != null || message.transactional()) {
      return;
    }
    messages.add(message);
    if (message.lsn().compareTo(reached.lsn()) > 0) {
      for (Map.Entry<TableId, String> stop : Map.copyOf(requestedStops).entrySet()) {
        requestedStops.remove(stop.getKey());
        if (tables.containsKey(stop.getKey())) {
          writeStop(stop.getKey(), stop.getValue(), message.lsn(),
              Math.floorDiv(reached.commitTimestampMicros(), 1000L));
        }
      }
      for (Requested next = requestedRecords.poll(); next != null; next = requestedRecords.poll()) {
        TableWriter writer = writer(next.log);
        touched.add(writer);
        writer.add(next.record);
      }
      reach(message.lsn(), reached.commitTimestampMicros());
    }
  }

  private void takeEnd(SourceEvent.End end) {
    requireOpen("END", end.transactionId());
    if (end.endLsn().isAtOrBelow(committed.lsn())) {
      // Known only now: the whole transaction was committed before the stream was started at this place.
      if (open.isSpilled()) {
        writers.values().forEach(TableWriter::takeBack);
      }
      open = null;
      return;
    }
    requireCounts(end);
    if (!open.isSpilled()) {
      open.release().forEach(entry -> write(entry.table(), entry.record()));
    }
    long timestampMs = Math.floorDiv(end.commitTimestampMicros(), 1000L);
    open.stops().forEach((table, reason) -> writeStop(table, reason, end.endLsn(), timestampMs));
    for (TableId table : open.truncated()) {
      TableWriter status = writer(statusLog);
      touched.add(status);
      status.add(Truncations.record(table, end.endLsn(), timestampMs));
      groupTruncations.put(table, end.endLsn());
    }
    reach(end.endLsn(), end.commitTimestampMicros());
    group.add(new CommittedTransaction(
        end.transactionId(), end.endLsn(), end.commitTimestampMicros(), open.records(), open.sample()));
    open = null;
  }

  private void requireOpen(String what, long transactionId) {
    if (open == null || open.id() != transactionId) {
      throw new SourceProtocolException(what + " of transaction " + transactionId + " came "
          + (open == null ? "outside a transaction" : "inside transaction " + open.id()));
    }
  }

  private void requireCounts(SourceEvent.End end) {
    for (TableId table : tables.keySet()) {
      long announced = end.eventCounts().getOrDefault(table, 0L);
      long came = open.events().getOrDefault(table, 0L);
      if (announced != came) {
        throw new SourceProtocolException(
            "transaction " + end.transactionId() + " at " + end.endLsn() + " holds " + announced
                + " events of " + table + ", but " + came + " came");
      }
    }
  }

  /** Null where the events of this table are dropped. */
  private MirroredTable active(TableId table) {
    return open.stops(table) ? null : tables.get(table);
  }

  private void put(MirroredTable table, Record record) {
    if (open.isSpilled()) {
      write(table, record);
      return;
    }
    open.hold(table, record);
    if (open.isFull()) {
      spill();
    }
  }

  private void write(MirroredTable table, Record record) {
    if (open.stops(table.table())) {
      // Held back beside the record that stopped it.
      return;
    }
    TableWriter writer = writer(table.log());
    touched.add(writer);
    open.countRecord();
    if (open.sample().size() < listener.recordsPerTransaction()) {
      open.sample().add(writer.placed(table.table(), record));
    }
    try {
      writer.add(record);
    } catch (RecordTooLargeException e) {
      stop(table, MappingException.tooLarge(table.table(), record.key(), e).getMessage());
    }
  }

  /** Lets the open transaction flow into the logs, behind a boundary to which it can be taken back. */
  private void spill() {
    if (open.isSpilled()) {
      return;
    }
    writers.values().forEach(TableWriter::markBoundary);
    open.spill();
    open.release().forEach(entry -> write(entry.table(), entry.record()));
  }

  private void stop(MirroredTable table, String reason) {
    open.stop(table.table(), reason);
    if (open.isSpilled()) {
      writer(table.log()).takeBack();
    }
  }

  /** Forward only: a message or transaction that comes again does not move us back. */
  private void reach(Lsn lsn, long commitTimestampMicros) {
    if (lsn.compareTo(reached.lsn()) > 0) {
      reached = reached.at(lsn, commitTimestampMicros);
    }
  }

  private void commit() {
    if (!reached.equals(committed)) {
      Map<TopicPartition, Long> ends = new LinkedHashMap<>();
      for (TableWriter writer : touched) {
        writer.flush();
        ends.put(writer.log().topicPartition(), writer.log().logEndOffset());
      }
      engine.commit(ends, reached.toBytes());
      committed = reached;
      touched.forEach(writer -> listener.recordsCommitted(writer.tally().take(writer.log().topicPartition().topic())));
      touched.clear();
    }
    publish();
  }

  /** The position last: whoever waited for it finds all that belongs to it. */
  private void publish() {
    group.forEach(listener::transactionCommitted);
    group.clear();
    stoppedInGroup.clear();
    groupTruncations.forEach(listener::tableTruncated);
    groupTruncations.clear();
    Map<TableId, String> stops = Map.copyOf(groupStops);
    groupStops.clear();
    try {
      stops.forEach(listener::tableStopped);
    } finally {
      listener.positionCommitted(committed);
    }
    messages.forEach(message -> listener.messageCommitted(message.prefix(), message.content(), message.lsn()));
    messages.clear();
  }

  private void writeStop(TableId table, String reason, Lsn lsn, long timestampMs) {
    TableWriter status = writer(statusLog);
    touched.add(status);
    status.add(StoppedTables.record(table, reason, lsn, timestampMs));
    MirroredTable stopped = tables.remove(table);
    if (stopped != null) {
      stoppedInGroup.add(stopped);
    }
    groupStops.put(table, reason);
  }

  private TableWriter writer(PartitionLog log) {
    TableWriter known = writers.get(log.topicPartition());
    if (known == null) {
      known = new TableWriter(log, maxBatchBytes);
      writers.put(log.topicPartition(), known);
    }
    return known;
  }
}
