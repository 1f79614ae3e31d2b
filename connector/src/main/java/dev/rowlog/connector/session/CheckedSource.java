package dev.rowlog.connector.session;

import dev.rowlog.connector.capture.preflight.PreflightReport;
import dev.rowlog.connector.capture.slot.SlotGuard;
import dev.rowlog.connector.capture.slot.SlotRefusedException;
import dev.rowlog.connector.capture.slot.SourceIdentity;
import dev.rowlog.connector.catalog.Relation;
import dev.rowlog.connector.catalog.SourceConnections;
import dev.rowlog.connector.change.SourcePosition;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.mapping.TopicNaming;
import dev.rowlog.connector.mirror.SourceRefusedException;
import dev.rowlog.connector.options.RowlogOptions;
import dev.rowlog.connector.sink.StoppedTables;
import dev.rowlog.connector.table.SchemaLog;
import dev.rowlog.connector.table.SchemaVersion;
import dev.rowlog.connector.table.SourceCatalog;
import dev.rowlog.connector.table.SourcePool;
import dev.rowlog.connector.table.TablePlan;
import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.log.TopicPartition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The source as one start found it, and what was decided from that and from the last commit. Immutable but for the
 * pool that it owns.
 */
final class CheckedSource implements AutoCloseable {
  /** Beside the snapshot's readers: heartbeats, and waits that send messages. */
  private static final int EXTRA_CONNECTIONS = 3;

  private final SourceConnections connections;
  private final SourcePool pool;
  private final SourcePosition intent;
  private final SourcePosition position;
  private final TablePlan plan;
  private final Map<TableId, String> topics;

  private CheckedSource(
      SourceConnections connections,
      SourcePool pool,
      SourcePosition intent,
      SourcePosition position,
      TablePlan plan,
      Map<TableId, String> topics) {
    this.connections = connections;
    this.pool = pool;
    this.intent = intent;
    this.position = position;
    this.plan = plan;
    this.topics = Map.copyOf(topics);
  }

  /**
   * @throws SQLException where the source does not answer
   * @throws SourceTables.PreflightFailedException where it cannot be captured as it is now
   * @throws SourceRefusedException where it is another one than the last commit's, or its slot cannot go on
   */
  static CheckedSource open(RowlogOptions options, LogEngine engine) throws SQLException {
    PreflightReport report = SourceTables.check(options.source());
    SourceConnections connections = report.connections();
    SourcePosition position = engine.committed().position().map(SourcePosition::parse).orElse(null);
    SourcePosition intent = intent(connections, options.source().slot());
    if (position != null) {
      requireSameSource(intent, position);
    }
    boolean resumed = position != null && position.phase() == SourcePosition.Phase.STREAMING;
    if (resumed) {
      checkSlot(connections, position);
    } else if (position == null) {
      requireNoSlot(connections, options.source().slot());
    }
    TablePlan plan = resumed
        ? resumedPlan(report, connections, engine, options.source().publication())
        : TablePlan.first(report.accepted(), SourceTables.refused(report));
    Map<TableId, String> topics = resumed
        ? topics(SchemaLog.newest(engine))
        : TopicNaming.topics(options.topicPrefix(), plan.mirrored().stream().map(Relation::id).toList());
    // Only now: what the publication lacked must have been seen before it is made whole.
    SourceTables.publish(report, connections);
    SourcePool pool = SourcePool.open(connections, options.snapshotReaders() + EXTRA_CONNECTIONS);
    return new CheckedSource(connections, pool, intent, position, plan, topics);
  }

  private static SourcePosition intent(SourceConnections connections, String slot) throws SQLException {
    try (Connection replication = connections.connectForReplication()) {
      SourceIdentity identity = SourceIdentity.read(replication);
      return new SourcePosition(
          identity.systemIdentifier(), identity.timeline(), identity.database(), slot, SourcePosition.Phase.INTENT,
          null, 0);
    }
  }

  private static void requireSameSource(SourcePosition found, SourcePosition committed) {
    if (!found.systemIdentifier().equals(committed.systemIdentifier())
        || !found.database().equals(committed.database())) {
      throw new SourceRefusedException(
          "data.dir mirrors database " + committed.database() + " of the cluster with system identifier "
              + committed.systemIdentifier() + ", but source.url leads to database " + found.database() + " of "
              + found.systemIdentifier() + "; point source.url to that one, or use a new data.dir");
    }
    if (!found.slot().equals(committed.slot())) {
      throw new SourceRefusedException(
          "data.dir goes on from replication slot " + committed.slot() + ", but source.slot is "
              + found.slot() + "; set source.slot back, or use a new data.dir");
    }
  }

  private static void checkSlot(SourceConnections connections, SourcePosition position) throws SQLException {
    try {
      new SlotGuard(connections).check(position);
    } catch (SlotRefusedException e) {
      // The connection of a process that was killed may hold the slot a moment longer: the start of the stream tries
      // again.
      if (e.reason() != SlotRefusedException.Reason.ACTIVE) {
        throw e;
      }
    }
  }

  private static void requireNoSlot(SourceConnections connections, String slot) throws SQLException {
    try (Connection connection = connections.connect();
        PreparedStatement statement = connection
            .prepareStatement("select 1 from pg_catalog.pg_replication_slots where slot_name = ?")) {
      statement.setString(1, slot);
      try (ResultSet result = statement.executeQuery()) {
        if (result.next()) {
          throw new SourceRefusedException(
              "replication slot " + slot + " exists, but data.dir knows nothing of it: somebody else may need"
                  + " it; choose another source.slot, or, where it is left over, let an administrator run"
                  + " select pg_drop_replication_slot('" + slot.replace("'", "''") + "')");
        }
      }
    }
  }

  private static TablePlan resumedPlan(
      PreflightReport report, SourceConnections connections, LogEngine engine, String publication)
      throws SQLException {
    Map<TableId, SchemaVersion> stored = SchemaLog.newest(engine);
    Map<TableId, String> breaches = new TreeMap<>();
    try (Connection connection = connections.connect()) {
      SourceCatalog catalog = SourceCatalog.read(connection, stored.keySet(), topics(stored)::get, publication);
      stored.forEach((table, version) -> catalog.breach(version).ifPresent(breach -> breaches.put(table, breach)));
    }
    Map<TableId, String> failed = new TreeMap<>();
    stored.forEach((table, version) -> {
      RuntimeException failure = engine.failedLogs().get(TopicPartition.of(version.topic()));
      if (failure != null) {
        failed.put(table, failure.getMessage());
      }
    });
    return TablePlan.resume(report.accepted(), SourceTables.refused(report), stored.keySet(), breaches,
        StoppedTables.read(engine), failed);
  }

  private static Map<TableId, String> topics(Map<TableId, SchemaVersion> stored) {
    Map<TableId, String> topics = new HashMap<>();
    stored.forEach((table, version) -> topics.put(table, version.topic()));
    return topics;
  }

  SourceConnections connections() {
    return connections;
  }

  SourcePool pool() {
    return pool;
  }

  /** What a first snapshot commits before it makes the slot. */
  SourcePosition intent() {
    return intent;
  }

  /** Of the last commit. */
  Optional<SourcePosition> position() {
    return Optional.ofNullable(position);
  }

  /** True where the first snapshot is complete. */
  boolean isResumed() {
    return position != null && position.phase() == SourcePosition.Phase.STREAMING;
  }

  TablePlan plan() {
    return plan;
  }

  /** Empty for a table that was never mirrored. */
  String topic(TableId table) {
    return topics.getOrDefault(table, "");
  }

  @Override
  public void close() {
    pool.close();
  }
}
