package dev.rowlog.connector.capture;

import io.debezium.connector.postgresql.PostgresConnectorConfig;
import io.debezium.connector.postgresql.PostgresConnectorTask;
import io.debezium.connector.postgresql.PostgresSchema;
import io.debezium.connector.postgresql.connection.PostgresConnection;
import io.debezium.connector.postgresql.connection.ReplicationConnection;
import java.sql.SQLException;

/** The task of {@link RawConnector}: its replication connection decodes with {@link RawTypes}. Made by the engine, by its class name. */
public final class RawTask extends PostgresConnectorTask {

  @Override
  protected ReplicationConnection buildReplicationConnection(PostgresConnection jdbc, PostgresSchema schema,
      PostgresConnectorConfig config) throws SQLException {
    RawTypes types = new RawTypes(jdbc);
    RawProbe.requireRawPath(types);
    // What the connection is built from is protected in the configuration; a connection with another registry brings it along.
    return super.buildReplicationConnection(new PostgresConnection(config, types, "rowlog raw types"), schema, config);
  }
}
