package dev.rowlog.connector.watch;

import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.metrics.SourceFigures;
import dev.rowlog.connector.table.SourcePool;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;

/** Asks the source what its slot makes it keep (PostgreSQL manual, pg_replication_slots). Needs no grant. */
public record SlotWatch(SourcePool pool, String slot) {
  private static final String QUERY = "select pg_catalog.pg_current_wal_insert_lsn(), s.restart_lsn, s.safe_wal_size"
      + " from (values (?)) as mine (name) left join pg_catalog.pg_replication_slots s on s.slot_name = mine.name";

  public SourceFigures look() throws SQLException {
    try (Connection connection = pool.take(); PreparedStatement statement = connection.prepareStatement(QUERY)) {
      statement.setString(1, slot);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        String restart = result.getString(2);
        long safe = result.getLong(3);
        return new SourceFigures(Lsn.parse(result.getString(1)), restart == null ? null : Lsn.parse(restart),
            result.wasNull() ? OptionalLong.empty() : OptionalLong.of(safe));
      }
    }
  }
}
