package dev.rowlog.connector;

import dev.rowlog.connector.catalog.CatalogReader;
import dev.rowlog.connector.catalog.Relation;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.table.SourcePool;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

record SourceTables(List<Relation> relations, Map<TableId, String> refused) {
  static SourceTables check(SourceOptions options, SourcePool pool) throws SQLException {
    Map<TableId, String> refused = new TreeMap<>();
    List<Relation> relations;
    try (Connection connection = pool.take()) {
      relations = new CatalogReader(connection).relations(options.tables());
      for (Relation relation : relations) {
        if (relation.schema().keyColumns().isEmpty()) {
          refused.put(relation.id(), relation.id() + " has no key");
        }
      }
      String list = relations.stream().filter(r -> !refused.containsKey(r.id())).map(r -> r.id().quoted()).collect(Collectors.joining(", "));
      try (Statement statement = connection.createStatement()) {
        if (!statement.executeQuery("select 1 from pg_publication where pubname = '" + options.publication() + "'").next()) {
          statement.execute("create publication " + TableId.quote(options.publication()) + " for table " + list
              + " with (publish = 'insert, update, delete, truncate', publish_via_partition_root = true)");
        }
      }
    }
    return new SourceTables(relations, refused);
  }
}
