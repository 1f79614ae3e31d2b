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

/** Which partitioned tables can be mirrored exactly, from what the catalog says of their partitions. The connection's thread. */
final class PartitionRules {
  /** Partitions whose changes would not arrive under the root's key, or not at all. */
  private static final String PARTITIONS = """
      select n.nspname, c.relname, c.relkind, c.relpersistence, c.relreplident
        from pg_catalog.pg_partition_tree(?::oid::pg_catalog.regclass) t
        join pg_catalog.pg_class c on c.oid = t.relid
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace
       where t.isleaf and c.relkind <> 'p' and (c.relkind <> 'r' or c.relpersistence <> 'p' or c.relreplident not in ('d', 'f'))
       order by n.nspname, c.relname""";

  private PartitionRules() {}

  /** Empty for a table that is not partitioned. */
  static List<Finding> check(Connection connection, Relation root)
      throws SQLException {
    List<Finding> problems = new ArrayList<>();
    if (root.kind() != 'p') {
      return problems;
    }
    try (PreparedStatement statement = connection.prepareStatement(PARTITIONS)) {
      statement.setLong(1, root.schema().oid());
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          TableId leaf = new TableId(result.getString(1), result.getString(2));
          if (!result.getString(3).equals("r")) {
            problems.add(TableRules.refused(root, Kind.NOT_A_TABLE, "has the partition " + leaf
                + ", which is a foreign table and not in the write-ahead log", "detach it, or leave the table out"));
          } else if (!result.getString(4).equals("p")) {
            problems
                .add(TableRules.refused(root, Kind.NOT_PERMANENT, "has the partition " + leaf + ", which is not logged",
                    "run ALTER TABLE " + leaf.quoted() + " SET LOGGED"));
          } else {
            problems.add(TableRules.refused(root, Kind.NO_KEY,
                "has the partition " + leaf + ", whose replica identity is not the key",
                "run ALTER TABLE " + leaf.quoted() + " REPLICA IDENTITY DEFAULT"));
          }
        }
      }
    }
    return problems;
  }
}
