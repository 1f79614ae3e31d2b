package dev.rowlog.connector.table;

import dev.rowlog.connector.catalog.TableSchema;
import dev.rowlog.connector.change.RowImage;
import dev.rowlog.connector.change.TableId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/**
 * Reads rows of a table by COPY, a page range at a time, over one connection and in its transaction's snapshot. One
 * row is in memory at a time. One thread.
 */
final class TableReader {
  private final Connection connection;
  private final CopyText text = new CopyText();

  TableReader(Connection connection) {
    this.connection = connection;
  }

  /** Takes rows; false to stop reading. */
  @FunctionalInterface
  interface RowConsumer {
    /**
     * @param row valid until the call returns
     */
    boolean take(RowImage row);
  }

  /**
   * Gives each row of the range.
   *
   * @param schema whose columns, by name, each row has
   * @param leaf the table itself, or a partition of it
   * @return rows given
   */
  long read(TableSchema schema, TableId leaf, PageRange range, RowConsumer consumer) throws SQLException {
    List<String> columns = schema.columnNames();
    String[] values = new String[columns.size()];
    RowImage row = new RowImage(columns, values);
    CopyOut copy = connection.unwrap(PGConnection.class).getCopyAPI().copyOut(sql(columns, leaf, range));
    long rows = 0;
    try {
      for (byte[] line = copy.readFromCopy(); line != null; line = copy.readFromCopy()) {
        text.split(line, values);
        rows++;
        if (!consumer.take(row)) {
          return rows;
        }
      }
      return rows;
    } finally {
      if (copy.isActive()) {
        copy.cancelCopy();
      }
    }
  }

  static String sql(List<String> columns, TableId leaf, PageRange range) {
    String list = columns.stream().map(TableId::quote).collect(Collectors.joining(", "));
    return "copy (select " + list + " from only " + leaf.quoted() + " where " + range.condition() + ") to stdout";
  }
}
