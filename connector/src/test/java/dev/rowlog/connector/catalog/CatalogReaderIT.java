package dev.rowlog.connector.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CatalogReaderIT {
  private static final ColumnType TEXT = new ColumnType.Text();
  private static final ColumnType NUMBER = new ColumnType.Number();

  private TestDatabase database;

  @BeforeEach
  void createDatabase() {
    database = PostgresFixture.shared().newDatabase();
  }

  @AfterEach
  void dropDatabase() {
    database.close();
  }

  private List<Relation> read(String patterns) throws Exception {
    try (Connection connection = SourceConnections.open(database.address()).connect()) {
      return new CatalogReader(connection).relations(TablePatterns.parse(patterns));
    }
  }

  @Test
  void shouldReadLiveColumnsInOrderWithTheirTypes() throws Exception {
    // Given
    database.execute("create extension hstore", "create type mood as enum ('a')",
        "create type cast_to_json as enum ('a')",
        "create function to_j(cast_to_json) returns json language sql return '1'::json",
        "create cast (cast_to_json as json) with function to_j(cast_to_json)", "create domain amount as numeric(10,2)",
        "create domain amounts as amount[]", "create type pair as (\"A b\" amount, c box[])",
        "create table t (id bigint primary key, gone text, a amounts not null, p pair, m mood[], h hstore, j jsonb, v int2vector,"
            + " x cast_to_json[], g int generated always as (1) stored)",
        "alter table t drop column gone");

    // When
    TableSchema table = read("public.t").get(0).schema();

    // Then
    assertThat(table.columns()).extracting(Seen::of).containsExactly(new Seen("id", NUMBER, "bigint", true, (char) 0),
        new Seen("a", new ColumnType.Array(NUMBER, ','), "public.amounts", true, (char) 0),
        new Seen("p", new ColumnType.Composite(List.of(new ColumnType.Attribute("A b", NUMBER),
            new ColumnType.Attribute("c", new ColumnType.Array(TEXT, ';')))), "public.pair", false, (char) 0),
        new Seen("m", new ColumnType.Array(TEXT, ','), "public.mood[]", false, (char) 0),
        new Seen("h", new ColumnType.Hstore(), "public.hstore", false, (char) 0),
        new Seen("j", new ColumnType.Json(), "jsonb", false, (char) 0),
        new Seen("v", new ColumnType.Array(NUMBER, ' '), "int2vector", false, (char) 0),
        new Seen("x", new ColumnType.Array(new ColumnType.ServerCast("public.cast_to_json"), ','),
            "public.cast_to_json[]", false,
            (char) 0),
        new Seen("g", NUMBER, "integer", false, 's'));
  }

  private record Seen(String name, ColumnType type, String typeName, boolean notNull, char generated) {
    static Seen of(Column column) {
      return new Seen(column.name(), column.type(), column.typeName(), column.notNull(), column.generated());
    }
  }

  @Test
  void shouldReadWhatATypeIsMadeOf() throws Exception {
    // Given
    database.execute("create type mood as enum ('sad', 'ok')", "create domain moods as mood[]",
        "create type pair as (n int, m moods)", "alter type pair drop attribute n",
        "alter type pair add attribute k text",
        "create table t (gone int, id int primary key, p pair[])", "alter table t drop column gone");

    // When
    List<Column> columns = read("public.t").get(0).schema().columns();

    // Then
    assertThat(columns).extracting(Column::number).containsExactly(2, 3);
    TypeShape pair = columns.get(1).shape().element().get(0);
    assertThat(pair.attributes()).extracting(TypeShape.Attribute::name).containsExactly("m", "k");
    assertThat(pair.attributes()).extracting(TypeShape.Attribute::number).containsExactly(2, 3);
    assertThat(pair.attributes().get(0).shape().element().get(0).labels()).containsExactly("sad", "ok");
    assertThat(columns.get(0).shape().oid()).isEqualTo(23);
  }

  @Test
  void shouldTellColumnsThatAreGeneratedOnReading() throws Exception {
    assumeTrue(PostgresFixture.shared().majorVersion() >= 18, "virtual generated columns are PostgreSQL 18's");
    // Given
    database.execute("create table t (id int primary key, g int generated always as (2) virtual)");

    // When
    TableSchema table = read("public.t").get(0).schema();

    // Then
    assertThat(table.columns()).extracting(Seen::of).last().isEqualTo(new Seen("g", NUMBER, "integer", false, 'v'));
  }

  @Test
  void shouldTakeTheKeyThatOldRowsCarryInItsOwnOrder() throws Exception {
    // Given
    database.execute("create table pk (b text, a int, c int, primary key (c, a, b))",
        "create table ri (a int primary key, b int not null, c int not null)",
        "create unique index ri_cb on ri (c, b) include (a)", "alter table ri replica identity using index ri_cb",
        "create table df (a int primary key deferrable)", "create table full_df (a int primary key deferrable)",
        "alter table full_df replica identity full", "create table none (a int primary key)",
        "alter table none replica identity nothing",
        "create table bag (a int unique)");

    // When
    Map<String, List<String>> keys = read("public.*").stream()
        .collect(Collectors.toMap(relation -> relation.id().table(), relation -> relation.schema().keyColumns()));

    // Then
    assertThat(keys).containsOnly(Map.entry("pk", List.of("c", "a", "b")), Map.entry("ri", List.of("c", "b")),
        Map.entry("df", List.of()), Map.entry("full_df", List.of("a")), Map.entry("none", List.of()),
        Map.entry("bag", List.of()));
  }

  @Test
  void shouldTakePartitionsAsPartOfTheirRootUnlessTheyAreNamedAlone() throws Exception {
    // Given
    database.execute("create table m (id int, k int, primary key (id, k)) partition by range (id)",
        "create table m_low partition of m for values from (0) to (10) partition by list (k)",
        "create table m_low_1 partition of m_low for values in (1)", "create table m_rest partition of m default",
        "create table other (id int primary key)", "create table child () inherits (other)");

    // When
    List<Relation> all = read("public.*");
    List<Relation> alone = read("public.m_low*");

    // Then
    assertThat(all).extracting(relation -> relation.id().table()).containsExactly("child", "m", "other");
    assertThat(all.get(1).leaves()).containsExactly(new TableId("public", "m_low_1"), new TableId("public", "m_rest"));
    assertThat(all.get(2).leaves()).containsExactly(new TableId("public", "other"));
    assertThat(alone).extracting(relation -> relation.id().table()).containsExactly("m_low");
  }

  @Test
  void shouldPinEverySettingThatChangesATextOnEveryConnection() throws Exception {
    // Given
    database.execute("alter database " + database.name() + " set TimeZone = 'Asia/Kathmandu'",
        "alter database " + database.name() + " set DateStyle = 'German'",
        "alter database " + database.name() + " set bytea_output = 'escape'",
        "alter database " + database.name() + " set statement_timeout = '7s'");
    SourceConnections connections = SourceConnections.open(database.address());

    for (Connection opened : List.of(connections.connect(), connections.connectForReplication())) {
      try (Connection connection = opened;
          Statement statement = connection.createStatement()) {
        for (Map.Entry<String, String> pin : connections.pins().settings().entrySet()) {
          // When
          try (ResultSet result = statement.executeQuery("show " + pin.getKey())) {
            result.next();

            // Then
            assertThat(result.getString(1)).as(pin.getKey()).startsWith(pin.getValue());
          }
        }
      }
    }
  }
}
