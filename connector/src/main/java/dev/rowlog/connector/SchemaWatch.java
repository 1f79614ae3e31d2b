package dev.rowlog.connector;

import dev.rowlog.connector.catalog.CatalogReader;
import dev.rowlog.connector.catalog.Relation;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.table.SchemaVersion;
import dev.rowlog.connector.table.SourcePool;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Looks whether a mirrored table was changed while its stream flows: most DDL sends no event, and rows would be
 * printed by the old types. One thread at a time.
 */
final class SchemaWatch {
  private final SourcePool pool;
  private final Map<TableId, String> topics;
  private final Map<TableId, SchemaVersion> versions;
  private final BiConsumer<TableId, String> stop;

  /**
   * @param topics of the tables to watch
   * @param versions as their rows were written
   * @param stop hears of each changed table once, with the reason
   */
  SchemaWatch(
      SourcePool pool, Map<TableId, String> topics, Map<TableId, SchemaVersion> versions,
      BiConsumer<TableId, String> stop) {
    this.pool = pool;
    this.topics = new HashMap<>(topics);
    this.versions = Map.copyOf(versions);
    this.stop = stop;
  }

  void look() throws SQLException {
    Map<TableId, String> reasons = new HashMap<>();
    try (Connection connection = pool.take()) {
      topics.keySet().forEach(table -> reasons.put(table, "the table was dropped"));
      for (Relation relation : new CatalogReader(connection).relations(topics.keySet())) {
        SchemaVersion now = SchemaVersion.read(connection, relation.schema(), topics.get(relation.id()));
        versions.get(relation.id()).differenceTo(now)
            .ifPresentOrElse(difference -> reasons.put(relation.id(), difference), () -> reasons.remove(relation.id()));
      }
    }
    reasons.forEach((table, reason) -> {
      topics.remove(table);
      stop.accept(table, table + " was changed since its rows were written: " + reason
          + "; mirror it again from the start, with another data.dir and source.slot");
    });
  }
}
