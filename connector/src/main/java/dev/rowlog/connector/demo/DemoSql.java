package dev.rowlog.connector.demo;

import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
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
    StringBuilder head = new StringBuilder();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      head.append(i == 1 ? "" : " | ").append(columns.getColumnLabel(i));
    }
    lines.add(head.toString());
    int count = 0;
    while (result.next()) {
      if (++count <= MAX_ROWS) {
        StringBuilder row = new StringBuilder();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          row.append(i == 1 ? "" : " | ").append(result.getString(i));
        }
        lines.add(row.toString());
      }
    }
    lines.add("(" + count + (count == 1 ? " row" : " rows")
        + (count > MAX_ROWS ? ", the first " + MAX_ROWS + " shown)" : ")"));
  }
}
