package dev.rowlog.connector.capture;

import dev.rowlog.connector.catalog.SourceConnections;
import dev.rowlog.connector.catalog.TableSchema;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a capture captures.
 *
 * @param tables the mirrored ones, each with a key; events of others are dropped
 * @param debezium pass-through properties (source.debezium.*), without that prefix; checked by {@link DebeziumProperties}
 */
public record CaptureSettings(
    SourceConnections connections, String slot, String publication, List<TableSchema> tables,
    Map<String, String> debezium) {
  public CaptureSettings {
    Objects.requireNonNull(connections, "connections");
    Objects.requireNonNull(slot, "slot");
    Objects.requireNonNull(publication, "publication");
    tables = List.copyOf(tables);
    debezium = Map.copyOf(debezium);
    for (TableSchema table : tables) {
      if (table.keyColumns().isEmpty()) {
        throw new IllegalArgumentException(table.id() + " has no key, so that its rows cannot be told apart");
      }
    }
    DebeziumProperties.requireAllowed(debezium.keySet());
  }
}
