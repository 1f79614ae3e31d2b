package dev.rowlog.connector.demo;

import dev.rowlog.connector.text.TextTable;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What statements answered in the database of a running demo: lines for people. */
public record DemoSql(List<String> lines) {
  private static final int MAX_ROWS = 100;

  /** Empty where no demo runs. */
  public static Optional<DemoSql> run(Path temporary, String sql) throws SQLException {
    Optional<DemoFolder.Running> demo = DemoFolder.running(temporary).stream().findFirst();
    if (demo.isEmpty()) {
      return Optional.empty();
    }
    List<String> lines = new ArrayList<>();
    try (Connection connection = DemoDatabase.connect(demo.get().port());
        Statement statement = connection.createStatement()) {
      boolean isResult = statement.execute(sql);
      while (true) {
        if (isResult) {
          rows(statement.getResultSet(), lines);
        } else if (statement.getUpdateCount() < 0) {
          return Optional.of(new DemoSql(lines));
        } else {
          lines.add(statement.getUpdateCount() + (statement.getUpdateCount() == 1 ? " row" : " rows"));
        }
        isResult = statement.getMoreResults();
      }
    }
  }

  public void print(PrintStream out) {
    lines.forEach(out::println);
  }

  private static void rows(ResultSet result, List<String> lines) throws SQLException {
    ResultSetMetaData columns = result.getMetaData();
    String[] titles = new String[columns.getColumnCount()];
    for (int i = 0; i < titles.length; i++) {
      titles[i] = (isNumber(columns.getColumnType(i + 1)) ? ">" : "") + columns.getColumnLabel(i + 1);
    }
    TextTable table = new TextTable(titles);
    int count = 0;
    while (result.next()) {
      if (++count <= MAX_ROWS) {
        Object[] row = new Object[titles.length];
        for (int i = 0; i < row.length; i++) {
          row[i] = String.valueOf(result.getString(i + 1)).replaceAll("\\R", " ");
        }
        table.row(row);
      }
    }
    lines.addAll(table.lines(Integer.MAX_VALUE));
    lines.add("(" + count + (count == 1 ? " row" : " rows")
        + (count > MAX_ROWS ? ", the first " + MAX_ROWS + " shown)" : ")"));
  }

  private static boolean isNumber(int type) {
    return switch (type) {
      case Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.REAL, Types.DOUBLE, Types.NUMERIC, Types.DECIMAL -> true;
      default -> false;
    };
  }
}
