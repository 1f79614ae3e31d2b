package dev.rowlog.connector.capture;

import io.debezium.connector.postgresql.PostgresConnector;
import org.apache.kafka.connect.connector.Task;

/** Debezium's PostgreSQL connector, but every value arrives as PostgreSQL's own text (D3). Made by the engine, by its class name. */
public final class RawConnector extends PostgresConnector {

  @Override
  public Class<? extends Task> taskClass() {
    return RawTask.class;
  }
}
