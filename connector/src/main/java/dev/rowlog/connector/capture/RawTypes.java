package dev.rowlog.connector.capture;

import io.debezium.connector.postgresql.PostgresType;
import io.debezium.connector.postgresql.TypeRegistry;
import io.debezium.connector.postgresql.connection.PostgresConnection;

/**
 * A registry that knows no type by name, so that Debezium's pgoutput decoder leaves PostgreSQL's text of each value as it is: the decoder
 * resolves values, and only values, by schema and name, while relations are looked up by oid and stay real.
 */
final class RawTypes extends TypeRegistry {
  RawTypes(PostgresConnection connection) {
    super(connection);
  }

  @Override
  public PostgresType get(String schema, String name) {
    return PostgresType.UNKNOWN;
  }
}
