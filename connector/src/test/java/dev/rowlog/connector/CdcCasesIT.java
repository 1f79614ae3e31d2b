package dev.rowlog.connector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.catalog.CatalogReader;
import dev.rowlog.connector.catalog.Relation;
import dev.rowlog.connector.catalog.SourceConnections;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.mirror.CleanRequest;
import dev.rowlog.connector.mirror.TableState;
import dev.rowlog.connector.mirror.TableStatus;
import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import dev.rowlog.connector.postgres.UtcJvm;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Changes that are known to have broken mirrors, each in a schema of its own, all through one mirror of a database with hostile settings: first snapshot, stream,
 * commit, cleaning, restart, replay from zero, compared byte by byte with what the server prints.
 */
@ExtendWith(UtcJvm.class)
class CdcCasesIT {
  /** At its first row of the new definition, or at a look at the catalog, whichever comes first. */
  private static final String ALTERED = "was altered|was changed since|when it was read";

  /** Tables that end otherwise than mirrored: how, and a pattern of the reason. */
  private static final Map<String, End> ENDS = Map.ofEntries(
      Map.entry("c15.bag", new End(TableState.REFUSED, "has no primary key")),
      Map.entry("c17.nk", new End(TableState.REFUSED, "has no primary key")),
      Map.entry("c45.en", new End(TableState.STOPPED, "enum")),
      Map.entry("c47.gc", new End(TableState.REFUSED, "generated column")),
      Map.entry("c55.ad", new End(TableState.STOPPED, ALTERED)),
      Map.entry("c57.rc", new End(TableState.STOPPED, ALTERED)),
      Map.entry("c59.ty", new End(TableState.STOPPED, ALTERED)),
      Map.entry("c61.later", new End(TableState.REFUSED, "tables cannot be added yet")),
      Map.entry("c61.later2", new End(TableState.REFUSED, "tables cannot be added yet")),
      Map.entry("c109.twins", new End(TableState.REFUSED, "has columns a and A that differ only in case")),
      Map.entry("c105.ds", new End(TableState.STOPPED, "it had column a text and has column a_new text in its place")));

  private static final String[] HOSTILE = {"TimeZone = 'Asia/Kathmandu'", "DateStyle = 'SQL, DMY'",
      "IntervalStyle = 'sql_standard'", "bytea_output = 'escape'", "extra_float_digits = -3"};

  @TempDir
  static Path data;

  private static TestDatabase database;
  private static List<TableStatus> tables;
  private static final Map<TableId, ReplayedLog> STREAMED = new HashMap<>();
  private static final Map<TableId, ReplayedLog> CLEANED = new HashMap<>();

  private record End(TableState state, String words) {}

  @BeforeAll
  static void mirrorAll() throws Exception {
    database = PostgresFixture.shared().newDatabase();
    for (String setting : HOSTILE) {
      database.execute("alter database " + database.name() + " set " + setting);
    }
    run("setup");
    String patterns = "c*.*, !c83.noisy";
    try (RunningMirror mirror = RunningMirror.start(database, data, patterns)) {
      run("change");
      mirror.catchUp();
      mirror.app().status().tables().forEach(table -> STREAMED.put(table.table(), read(mirror, table)));
    }
    run("change while stopped");
    try (RunningMirror mirror = RunningMirror.start(database, data, patterns)) {
      mirror.catchUp();
      mirror.app().clean(new CleanRequest(List.of(), true, Map.of("min.compaction.lag.ms", "0")));
      tables = mirror.app().status().tables();
      tables.forEach(table -> CLEANED.put(table.table(), read(mirror, table)));
    }
  }

  @AfterAll
  static void dropDatabase() {
    database.close();
  }

  static List<CdcCase> cases() {
    return CdcCase.all();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void shouldReplayToTheTables(CdcCase each) throws Exception {
    assertThat(check(each)).isEqualTo(each.rows());
    List<TableStatus> mine = tables.stream().filter(table -> each.hasSchema(table.table().schema())).toList();
    assertThat(mine).isNotEmpty();
    for (TableStatus table : mine) {
      TableId id = table.table();
      End end = ENDS.get(id.toString());
      if (end != null) {
        assertThat(table.state()).as(id + ": " + table.reason()).isEqualTo(end.state);
        assertThat(table.reason()).containsPattern(end.words);
        continue;
      }
      assertThat(table.state()).as(id + ": " + table.reason()).isEqualTo(TableState.STREAMING);
      Map<String, String> expected = printedByTheServer(id);
      ReplayedLog streamed = STREAMED.get(id);
      assertThat(streamed.violations()).as(id.toString()).isEmpty();
      assertThat(streamed.rows()).as(id + " streamed").isEqualTo(expected);
      assertThat(CLEANED.get(id).rows()).as(id + " cleaned").isEqualTo(expected);
      Set<String> gone = streamed.records().stream().map(record -> ReplayedLog.text(record.key()))
          .filter(key -> !expected.containsKey(key)).collect(Collectors.toCollection(TreeSet::new));
      Set<String> wanted = id.schema().equals(each.schema())
          ? each.deleted(id.table())
          : each.deleted(id.schema() + "." + id.table());
      assertThat(gone).as(id + " deleted").isEqualTo(wanted);
    }
  }

  @Test
  void shouldNameOnlyTablesThatAreThereAmongTheOtherEnds() {
    assertThat(tables).extracting(table -> table.table().toString()).containsAll(ENDS.keySet());
  }

  /** A section of every case, statement by statement; {@code , session B} is run by a second session where the first one pauses. */
  private static void run(String section) throws SQLException {
    for (CdcCase each : cases()) {
      try (Connection first = session(each); Connection second = session(each)) {
        execute(first, each.statements(section));
        execute(second, each.statements(section + ", session B"));
        execute(first, each.statements(section + ", session A again"));
      }
    }
  }

  private static Connection session(CdcCase each) throws SQLException {
    Connection connection = database.connect();
    execute(connection,
        List.of("create schema if not exists " + each.schema(), "set search_path = " + each.schema() + ", public"));
    return connection;
  }

  private static void execute(Connection connection, List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        try {
          statement.execute(sql);
        } catch (SQLException e) {
          throw new SQLException(sql, e);
        }
      }
    }
  }

  private static ReplayedLog read(RunningMirror mirror, TableStatus table) {
    return table.state() == TableState.REFUSED
        ? new ReplayedLog()
        : ReplayedLog.read(mirror.app().engine(), table.topic());
  }

  private static List<List<String>> check(CdcCase each) throws SQLException {
    try (Connection connection = SourceConnections.open(database.address()).connect();
        Statement statement = connection.createStatement()) {
      statement.execute("set search_path = " + each.schema() + ", public");
      List<List<String>> rows = new ArrayList<>();
      try (ResultSet result = statement.executeQuery(String.join("\n", each.section("check")))) {
        while (result.next()) {
          List<String> cells = new ArrayList<>();
          for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
            String cell = result.getString(i);
            cells.add(cell == null ? "NULL" : cell.strip());
          }
          rows.add(cells);
        }
      }
      return rows;
    }
  }

  /** Key to row. */
  private static Map<String, String> printedByTheServer(TableId table) throws SQLException {
    try (Connection connection = SourceConnections.open(database.address()).connect();
        Statement statement = connection.createStatement()) {
      Relation relation = new CatalogReader(connection).relations(List.of(table)).get(0);
      String key = relation.schema().keyColumns().stream().map(column -> "t." + TableId.quote(column))
          .collect(Collectors.joining(", "));
      String sql = "select (select to_json(k.*)::text from (select " + key + ") k), to_json(t.*)::text from "
          + (relation.kind() == 'p' ? "" : "only ") + table.quoted() + " t";
      Map<String, String> rows = new TreeMap<>();
      try (ResultSet result = statement.executeQuery(sql)) {
        while (result.next()) {
          rows.put(result.getString(1), result.getString(2));
        }
      }
      return rows;
    }
  }
}
