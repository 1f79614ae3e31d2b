package dev.rowlog.connector.table;

import dev.rowlog.connector.change.TableId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * One page range of one table, to be read by whichever reader comes first.
 *
 * @param leaf the table itself, or a partition of it
 * @param expectedRows of the whole table, as the planner thinks; 0 where it does not know
 */
record SnapshotWork(SnapshotTable table, TableId leaf, PageRange range, long expectedRows) {
  private static final String SIZE = """
      select pg_catalog.pg_relation_size(c.oid) / pg_catalog.current_setting('block_size')::bigint,
             greatest(c.reltuples, 0)::bigint
        from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
       where n.nspname = ? and c.relname = ?""";

  /**
   * All ranges of the table. Sizes are those of now, hence asked after the snapshot was imported; the last range is
   * open-ended.
   */
  static List<SnapshotWork> of(Connection connection, SnapshotTable table) throws SQLException {
    record Leaf(TableId id, long pages) {}
    List<Leaf> leaves = new ArrayList<>();
    long rows = 0;
    try (PreparedStatement statement = connection.prepareStatement(SIZE)) {
      for (TableId leaf : table.relation().leaves()) {
        statement.setString(1, leaf.schema());
        statement.setString(2, leaf.table());
        try (ResultSet result = statement.executeQuery()) {
          if (!result.next()) {
            throw new SQLException("table " + leaf + " is gone although it was locked");
          }
          leaves.add(new Leaf(leaf, result.getLong(1)));
          rows += result.getLong(2);
        }
      }
    }
    List<SnapshotWork> works = new ArrayList<>();
    for (Leaf leaf : leaves) {
      for (PageRange range : TableRanges.of(leaf.pages, TableRanges.PAGES_PER_RANGE)) {
        works.add(new SnapshotWork(table, leaf.id, range, rows));
      }
    }
    return works;
  }
}
