package dev.rowlog.connector.capture.slot;

import dev.rowlog.connector.catalog.SourceConnections;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.TableId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;

/**
 * Makes a permanent logical slot with an exported snapshot, and drops slots. Any thread; a {@link Created} belongs to its maker.
 */
public final class SlotCreation {
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  /** Creating a slot waits for every transaction that had an id when it began: the oldest one first, prepared ones too. */
  private static final String OLDEST_TRANSACTION = """
      select * from (
        select format('process %s (user %s, application %s, %s since %s)', pid, usename, application_name, state, xact_start) as who,
               age(backend_xid) as age
          from pg_catalog.pg_stat_activity where backend_xid is not null and pid <> pg_catalog.pg_backend_pid()
        union all
        select format('prepared transaction %s (user %s, since %s)', quote_literal(gid), owner, prepared), age(transaction)
          from pg_catalog.pg_prepared_xacts) holders
       order by age desc limit 1""";

  private final SourceConnections connections;

  public SlotCreation(SourceConnections connections) {
    this.connections = connections;
  }

  /**
   * A slot that was just made. Its snapshot can be imported until {@link #close}, which leaves the slot itself.
   *
   * @param consistentPoint a transaction is in the snapshot if and only if its end LSN is at or below
   * @param snapshot for {@code SET TRANSACTION SNAPSHOT}
   */
  public record Created(String slot, Lsn consistentPoint, String snapshot, SourceIdentity source,
      Connection replication)
      implements
        AutoCloseable {
    @Override
    public void close() throws SQLException {
      replication.close();
    }
  }

  /**
   * @param lockTimeout how long to wait for transactions that are open
   * @throws SlotBusyException where one was still open; nothing is left behind
   */
  public Created create(String slot, Duration lockTimeout) throws SQLException {
    Connection replication = connections.connectForReplication();
    try (Statement statement = replication.createStatement()) {
      SourceIdentity source = SourceIdentity.read(replication);
      statement.execute("set lock_timeout = " + Math.max(1, lockTimeout.toMillis()));
      // The snapshot ends with the next command on this connection.
      try (ResultSet result = statement.executeQuery(
          "CREATE_REPLICATION_SLOT " + TableId.quote(slot) + " LOGICAL pgoutput (SNAPSHOT 'export')")) {
        result.next();
        return new Created(slot, Lsn.parse(result.getString("consistent_point")), result.getString("snapshot_name"),
            source, replication);
      }
    } catch (SQLException e) {
      closeAfter(e, replication);
      if (LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
        throw new SlotBusyException("replication slot " + slot + " could not be made within " + lockTimeout.toMillis()
            + " ms: it waits for open transactions to end, the oldest in "
            + oldestTransaction().orElse("a process that has ended since"), e);
      }
      throw e;
    }
  }

  /** Whom a slot that is being made waits for, in words; empty where no transaction with an id is open. */
  public Optional<String> oldestTransaction() throws SQLException {
    try (Connection connection = connections.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(OLDEST_TRANSACTION)) {
      return result.next() ? Optional.of(result.getString("who")) : Optional.empty();
    }
  }

  /**
   * Drops the slot if it exists.
   *
   * @return true where it did
   */
  public boolean drop(String slot) throws SQLException {
    try (Connection connection = connections.connect();
        PreparedStatement statement = connection
            .prepareStatement("select pg_catalog.pg_drop_replication_slot(slot_name)"
                + " from pg_catalog.pg_replication_slots where slot_name = ?")) {
      statement.setString(1, slot);
      try (ResultSet result = statement.executeQuery()) {
        return result.next();
      }
    }
  }

  private static void closeAfter(SQLException failure, Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }
}
