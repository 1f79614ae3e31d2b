package dev.rowlog.connector.capture.slot;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Which cluster, which history of it, which database.
 *
 * @param timeline number of the write-ahead log's history: a new one after each failover or restore
 */
public record SourceIdentity(String systemIdentifier, int timeline, String database) {

  /**
   * Asks by the replication protocol, which needs no right but REPLICATION.
   *
   * @param replication a connection of {@link dev.rowlog.connector.catalog.SourceConnections#connectForReplication}
   */
  public static SourceIdentity read(Connection replication) throws SQLException {
    try (Statement statement = replication.createStatement();
        ResultSet result = statement.executeQuery("IDENTIFY_SYSTEM")) {
      result.next();
      return new SourceIdentity(result.getString("systemid"), result.getInt("timeline"), result.getString("dbname"));
    }
  }
}
