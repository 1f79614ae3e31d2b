package dev.rowlog.connector.table;

import dev.rowlog.connector.capture.slot.SlotBusyException;
import dev.rowlog.connector.capture.slot.SlotCreation;
import dev.rowlog.connector.catalog.SourceConnections;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.TableId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Connections that all see the source exactly as a new slot's consistent point does: every transaction with an END
 * LSN at or below it, no other.
 *
 * <p>Each reader locks the tables in ACCESS SHARE mode before the slot is made and imports the slot's snapshot in the
 * same transaction (LOCK TABLE takes none of its own). So no TRUNCATE and no rewriting ALTER TABLE comes between slot
 * and reading, which would show old snapshots an empty table; and no reader ever queues behind a DDL command that
 * waits for another reader. Neither lock nor slot creation waits for ever: after the lock timeout everything is let
 * go and tried again, since a session that holds an xid and waits for our lock would block the slot.
 */
final class ExportedSnapshot implements AutoCloseable {
  private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private final List<Connection> readers;
  private final Lsn consistentPoint;
  private final long timestampMs;

  private ExportedSnapshot(List<Connection> readers, Lsn consistentPoint, long timestampMs) {
    this.readers = List.copyOf(readers);
    this.consistentPoint = consistentPoint;
    this.timestampMs = timestampMs;
  }

  /** What {@link #open} needs to know. */
  record Request(String slot, List<TableId> tables, int readers) {}

  /**
   * Makes the slot; tries until it is made or {@code cancelled} says so.
   *
   * @param waiting hears, before each new attempt, what holds the slot's creation or a lock up
   * @throws java.util.concurrent.CancellationException where it was cancelled
   */
  static ExportedSnapshot open(SourcePool pool, SourceConnections connections, Request request,
      Consumer<String> waiting, BooleanSupplier cancelled) throws SQLException {
    while (true) {
      if (cancelled.getAsBoolean()) {
        throw new java.util.concurrent.CancellationException("the snapshot was stopped before its slot was made");
      }
      List<Connection> readers = new ArrayList<>();
      boolean opened = false;
      String reason;
      try {
        long timestampMs = now(pool);
        for (int i = 0; i < request.readers(); i++) {
          readers.add(pool.take());
          begin(readers.get(i), request.tables());
        }
        Lsn consistentPoint;
        try (SlotCreation.Created slot = new SlotCreation(connections).create(request.slot(), LOCK_TIMEOUT)) {
          for (Connection reader : readers) {
            execute(reader, "set transaction snapshot '" + slot.snapshot() + "'");
          }
          consistentPoint = slot.consistentPoint();
        }
        opened = true;
        return new ExportedSnapshot(readers, consistentPoint, timestampMs);
      } catch (SlotBusyException e) {
        reason = e.getMessage();
      } catch (SQLException e) {
        if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
          throw e;
        }
        reason = "the tables could not be locked against DDL within " + LOCK_TIMEOUT.toSeconds() + " s: "
            + e.getMessage();
      } finally {
        if (!opened) {
          release(readers);
        }
      }
      waiting.accept(reason);
    }
  }

  private static void begin(Connection reader, List<TableId> tables) throws SQLException {
    reader.setAutoCommit(false);
    execute(reader, "set transaction isolation level repeatable read, read only");
    execute(reader, "set local lock_timeout = " + LOCK_TIMEOUT.toMillis());
    execute(reader, "lock table " + tables.stream().map(TableId::quoted).collect(Collectors.joining(", "))
        + " in access share mode");
  }

  private static long now(SourcePool pool) throws SQLException {
    try (Connection connection = pool.take();
        Statement statement = connection.createStatement();
        ResultSet result = statement
            .executeQuery("select (extract(epoch from pg_catalog.clock_timestamp()) * 1000)::bigint")) {
      result.next();
      return result.getLong(1);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void release(List<Connection> readers) {
    for (Connection reader : readers) {
      // A connection that cannot roll back is broken: the pool throws it away, and the server ends its transaction.
      try (reader) {
        reader.rollback();
        reader.setAutoCommit(true);
      } catch (SQLException e) {
        org.slf4j.LoggerFactory.getLogger(ExportedSnapshot.class).debug("a snapshot reader did not end cleanly", e);
      }
    }
  }

  /** One a reader; each for one thread, none to be closed by it. */
  List<Connection> readers() {
    return readers;
  }

  Lsn consistentPoint() {
    return consistentPoint;
  }

  /** The source's time just before the slot was made, ms since the epoch. */
  long timestampMs() {
    return timestampMs;
  }

  /** Lets the snapshot and the locks go. */
  @Override
  public void close() {
    release(readers);
  }
}
