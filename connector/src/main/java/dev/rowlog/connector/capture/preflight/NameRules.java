package dev.rowlog.connector.capture.preflight;

import dev.rowlog.connector.capture.preflight.Finding.Kind;
import dev.rowlog.connector.catalog.Relation;
import dev.rowlog.connector.change.TableId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Which tables the stream cannot tell apart: Debezium compares their names joined with a dot (io.debezium.relational.TableId), and takes rows of one for rows of
 * the other. The connection's thread.
 */
final class NameRules {
  private static final String TWINS = """
      select n.nspname, c.relname
        from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and c.oid <> ?::oid and n.nspname || '.' || c.relname = ?
       order by n.nspname, c.relname""";

  private NameRules() {}

  static List<Finding> check(Connection connection, Relation relation) throws SQLException {
    List<Finding> problems = new ArrayList<>();
    TableId table = relation.id();
    if (!table.schema().contains(".") && !table.table().contains(".")) {
      return problems;
    }
    try (PreparedStatement statement = connection.prepareStatement(TWINS)) {
      statement.setLong(1, relation.schema().oid());
      statement.setString(2, table.schema() + "." + table.table());
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          TableId twin = new TableId(result.getString(1), result.getString(2));
          problems.add(TableRules.refused(relation, Kind.TABLE_NAME,
              "(" + table.quoted() + ") cannot be told from " + twin.quoted()
                  + " in the change stream, where names are joined with a dot",
              "rename one of the two"));
        }
      }
    }
    return problems;
  }
}
