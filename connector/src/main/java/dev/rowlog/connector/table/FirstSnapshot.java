package dev.rowlog.connector.table;

import dev.rowlog.connector.capture.slot.SlotCreation;
import dev.rowlog.connector.catalog.Relation;
import dev.rowlog.connector.catalog.SourceConnections;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.SourcePosition;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.sink.StoppedTables;
import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.record.Record;
import dev.rowlog.engine.record.RecordBatchEncoder;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The first snapshot of all tables, and the slot that goes on where it ends (D7).
 *
 * <p>Three commits: the intent, before the slot is made; its consistent point with the tables' schemas; all rows at
 * once, with which the mirror is in phase STREAMING. Whatever ends it before the third leaves nothing that readers
 * see, and a slot that the next start drops because the intent names it.
 */
public final class FirstSnapshot {
  private final SourceConnections connections;
  private final SourcePool pool;
  private final LogEngine engine;
  private final int readers;
  private final Progress progress;
  private volatile boolean cancelled;

  public FirstSnapshot(SourceConnections connections, SourcePool pool, LogEngine engine, int readers,
      Progress progress) {
    this.connections = connections;
    this.pool = pool;
    this.engine = engine;
    this.readers = readers;
    this.progress = progress;
  }

  /** Hears how far it is. Called by the thread of {@link #run} and by readers. */
  public interface Progress {
    /** The slot cannot be made yet; it is tried again. */
    default void slotWaiting(String reason) {}

    default void slotCreated(Lsn consistentPoint) {}

    /**
     * @param rows of the table read so far
     * @param expected rows of the whole table, as the planner thinks; 0 where it does not know
     */
    default void rows(TableId table, long rows, long expected) {}
  }

  /**
   * What stands after the third commit.
   *
   * @param stopped tables that could not be mapped exactly, with the reasons; they have no records
   */
  public record Outcome(SourcePosition position, long rows, Map<TableId, String> stopped) {}

  /** Ends {@link #run} soon, from another thread. */
  public void cancel() {
    cancelled = true;
  }

  /**
   * @param intent the position in phase INTENT
   * @param publication that the stream will read
   * @param tables to read, with the logs that take their rows, all empty
   * @throws CancellationException after {@link #cancel}
   * @throws SQLException where the source failed
   * @throws IllegalStateException where a table is not any more as it was when it was checked
   */
  public Outcome run(SourcePosition intent, String publication, Map<Relation, PartitionLog> tables,
      PartitionLog schemaLog, PartitionLog statusLog)
      throws SQLException, InterruptedException {
    engine.commit(Map.of(), intent.toBytes());
    new SlotCreation(connections).drop(intent.slot());
    List<SnapshotTable> snapshotTables = new ArrayList<>();
    tables.forEach((relation, log) -> snapshotTables.add(new SnapshotTable(relation, log)));
    List<TableId> ids = snapshotTables.stream().map(SnapshotTable::id).toList();
    ExportedSnapshot.Request request = new ExportedSnapshot.Request(intent.slot(), ids, readers);
    try (ExportedSnapshot snapshot = ExportedSnapshot.open(pool, connections, request, progress::slotWaiting,
        () -> cancelled)) {
      progress.slotCreated(snapshot.consistentPoint());
      commitSchemas(intent, publication, snapshot, snapshotTables, schemaLog);
      Queue<SnapshotWork> works = new ConcurrentLinkedQueue<>();
      for (SnapshotTable table : snapshotTables) {
        works.addAll(SnapshotWork.of(snapshot.readers().get(0), table));
      }
      read(snapshot, works);
      if (cancelled) {
        throw new CancellationException("the snapshot was stopped before its end");
      }
      return commitRows(intent, snapshot, snapshotTables, statusLog);
    }
  }

  private void commitSchemas(SourcePosition intent, String publication, ExportedSnapshot snapshot,
      List<SnapshotTable> tables, PartitionLog schemaLog)
      throws SQLException {
    Map<TableId, String> topics = new TreeMap<>();
    tables.forEach(table -> topics.put(table.id(), table.log().topicPartition().topic()));
    SourceCatalog catalog = SourceCatalog.readInSnapshot(snapshot.readers().get(0), snapshot.consistentPoint(),
        topics.keySet(), topics::get, publication);
    List<Record> records = new ArrayList<>();
    for (SnapshotTable table : tables) {
      requireUnchanged(table, catalog);
      records.add(catalog.versions().get(table.id()).toRecord(snapshot.timestampMs()));
    }
    append(schemaLog, records);
    SourcePosition position = position(intent, SourcePosition.Phase.SNAPSHOT, snapshot.consistentPoint());
    engine.commit(Map.of(schemaLog.topicPartition(), schemaLog.logEndOffset()), position.toBytes());
  }

  /** Between the check and the locks of the readers anything may have been altered. */
  private static void requireUnchanged(SnapshotTable table, SourceCatalog catalog) {
    Optional<String> gap = catalog.publication().gap(table.id());
    if (!table.relation().equals(catalog.relations().get(table.id())) || gap.isPresent()) {
      throw new IllegalStateException("table " + table.id() + " was altered while its snapshot began"
          + gap.map(reason -> ": " + reason).orElse("") + "; the snapshot starts again");
    }
  }

  private void read(ExportedSnapshot snapshot, Queue<SnapshotWork> works) throws SQLException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(readers, task -> {
      Thread thread = new Thread(task, "rowlog-snapshot");
      thread.setDaemon(true);
      return thread;
    });
    try {
      List<Future<Void>> results = new ArrayList<>();
      for (Connection connection : snapshot.readers()) {
        results.add(threads.submit(new SnapshotReader(connection, works, snapshot.timestampMs(),
            SnapshotHeaders.of(snapshot.consistentPoint()), progress, () -> cancelled)));
      }
      await(works, results);
    } finally {
      works.clear();
      threads.shutdown();
    }
  }

  /** Waits for every reader, also where one failed: none may append after we return. */
  private static void await(Queue<SnapshotWork> works, List<Future<Void>> readers)
      throws SQLException, InterruptedException {
    Throwable failure = null;
    for (Future<Void> reader : readers) {
      try {
        reader.get();
      } catch (ExecutionException e) {
        works.clear();
        if (failure == null) {
          failure = e.getCause();
        } else {
          failure.addSuppressed(e.getCause());
        }
      }
    }
    if (failure instanceof SQLException sql) {
      throw sql;
    }
    if (failure instanceof RuntimeException runtime) {
      throw runtime;
    }
    if (failure instanceof Error error) {
      throw error;
    }
  }

  private Outcome commitRows(SourcePosition intent, ExportedSnapshot snapshot, List<SnapshotTable> tables,
      PartitionLog statusLog) {
    Map<TopicPartition, Long> ends = new LinkedHashMap<>();
    Map<TableId, String> stopped = new TreeMap<>();
    List<Record> stops = new ArrayList<>();
    long rows = 0;
    for (SnapshotTable table : tables) {
      if (table.failure() != null) {
        table.log().truncateTo(table.log().highWatermark());
        stopped.put(table.id(), table.failure());
        stops
            .add(StoppedTables.record(table.id(), table.failure(), snapshot.consistentPoint(), snapshot.timestampMs()));
      } else {
        rows += table.rows();
      }
      ends.put(table.log().topicPartition(), table.log().logEndOffset());
    }
    append(statusLog, stops);
    ends.put(statusLog.topicPartition(), statusLog.logEndOffset());
    SourcePosition position = position(intent, SourcePosition.Phase.STREAMING, snapshot.consistentPoint());
    engine.commit(ends, position.toBytes());
    return new Outcome(position, rows, stopped);
  }

  private static SourcePosition position(SourcePosition intent, SourcePosition.Phase phase, Lsn lsn) {
    return new SourcePosition(intent.systemIdentifier(), intent.timeline(), intent.database(), intent.slot(), phase,
        lsn, 0);
  }

  private static void append(PartitionLog log, List<Record> records) {
    if (records.isEmpty()) {
      return;
    }
    RecordBatchEncoder batch = new RecordBatchEncoder(log.config().compression());
    batch.begin();
    records.forEach(record -> batch.add(record.timestamp(), record.key(), record.value(), record.headers()));
    log.append(batch);
  }
}
