package dev.rowlog.connector.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.catalog.CatalogReader;
import dev.rowlog.connector.catalog.SourceConnections;
import dev.rowlog.connector.catalog.TableSchema;
import dev.rowlog.connector.change.RowImage;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.postgres.AllTypes;
import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/** The server is the oracle: what COPY prints, mapped by us, against what to_json prints. */
class RowJsonIT {
  private static TestDatabase database;

  @BeforeAll
  static void createRows() {
    database = PostgresFixture.shared().newDatabase();
    AllTypes.prelude().forEach(database::execute);
    AllTypes.ddl().forEach(database::execute);
    AllTypes.inserts().forEach(database::execute);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void shouldPrintEveryTypeAsTheServerDoesFromTheTextOfCopy() throws Exception {
    // Given
    try (Connection connection = SourceConnections.open(database.address()).connect()) {
      TableSchema schema = new CatalogReader(connection).table(new TableId("kinds", "all_types")).orElseThrow();
      RowJson json = new RowJson(schema);
      List<String> expected = oracle(connection, schema.id());

      // When
      List<String> printed = copy(connection, schema).stream()
          .map(row -> new String(json.value(row), StandardCharsets.UTF_8)).toList();

      // Then
      assertThat(printed).hasSizeGreaterThan(10).containsExactlyElementsOf(expected);
    }
  }

  @Test
  void shouldPrintTheSameUnderAnySettingsOfTheDatabase() throws Exception {
    // Given
    String[] hostile = {"TimeZone = 'Asia/Kathmandu'", "DateStyle = 'German'", "IntervalStyle = 'sql_standard'",
        "bytea_output = 'escape'", "extra_float_digits = -3", "search_path = 'kinds, public'",
        "statement_timeout = '1ms'"};
    String before = String.join("\n", mapped());
    for (String setting : hostile) {
      database.execute("alter database " + database.name() + " set " + setting);
    }

    // When
    String after = String.join("\n", mapped());

    // Then
    try {
      assertThat(after).isEqualTo(before);
    } finally {
      try (Connection connection = SourceConnections.open(database.address()).connect();
          Statement statement = connection.createStatement()) {
        statement.execute("alter database " + database.name() + " reset all");
      }
    }
  }

  private static List<String> mapped() throws Exception {
    try (Connection connection = SourceConnections.open(database.address()).connect()) {
      TableSchema schema = new CatalogReader(connection).table(new TableId("kinds", "all_types")).orElseThrow();
      RowJson json = new RowJson(schema);
      return copy(connection, schema).stream().map(row -> new String(json.value(row), StandardCharsets.UTF_8)).toList();
    }
  }

  private static List<String> oracle(Connection connection, TableId table) throws Exception {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement
            .executeQuery("select to_json(t.*)::text from only " + table.quoted() + " t order by id")) {
      while (result.next()) {
        rows.add(result.getString(1));
      }
    }
    return rows;
  }

  private static List<RowImage> copy(Connection connection, TableSchema schema) throws Exception {
    String columns = schema.columnNames().stream().map(TableId::quote).collect(Collectors.joining(", "));
    CopyOut copy = connection.unwrap(PGConnection.class).getCopyAPI()
        .copyOut("copy (select " + columns + " from only " + schema.id().quoted() + " order by id) to stdout");
    List<RowImage> rows = new ArrayList<>();
    List<String> names = schema.columnNames();
    for (byte[] line = copy.readFromCopy(); line != null; line = copy.readFromCopy()) {
      String text = new String(line, 0, line.length - 1, StandardCharsets.UTF_8);
      String[] cells = text.split("\t", -1);
      for (int i = 0; i < cells.length; i++) {
        cells[i] = cells[i].equals("\\N") ? null : unescape(cells[i]);
      }
      rows.add(new RowImage(names, cells));
    }
    return rows;
  }

  private static String unescape(String cell) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < cell.length(); i++) {
      char c = cell.charAt(i);
      if (c != '\\') {
        text.append(c);
        continue;
      }
      c = cell.charAt(++i);
      text.append(switch (c) {
        case 'b' -> '\b';
        case 'f' -> '\f';
        case 'n' -> '\n';
        case 'r' -> '\r';
        case 't' -> '\t';
        case 'v' -> '\u000b';
        default -> c;
      });
    }
    return text.toString();
  }
}
