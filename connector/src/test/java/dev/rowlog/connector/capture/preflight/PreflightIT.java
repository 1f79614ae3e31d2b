package dev.rowlog.connector.capture.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.capture.preflight.Finding.Kind;
import dev.rowlog.connector.catalog.SourceAddress;
import dev.rowlog.connector.catalog.SourceConnections;
import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreflightIT {
  private static final String PASSWORD = "s3cret";

  private TestDatabase database;

  @BeforeEach
  void createDatabase() {
    database = PostgresFixture.shared().newDatabase();
  }

  @AfterEach
  void dropDatabase() {
    database.close();
  }

  private PreflightReport check(String patterns) {
    return check(database.address(), patterns);
  }

  private PreflightReport check(SourceAddress address, String patterns) {
    return Preflight.check(address, TablePatterns.parse(patterns), database.name(), database.name());
  }

  private static List<Kind> kinds(PreflightReport report) {
    return report.findings().stream().map(Finding::kind).toList();
  }

  @Test
  void shouldPassAndSayHowToMakeThePublicationWhenAllIsRight() {
    // Given
    database.execute("create table a (id int primary key)", "create table b (id int primary key)",
        "create table audit (x int)");

    // When
    PreflightReport report = check("public.*,!public.audit");

    // Then
    assertThat(report.findings()).isEmpty();
    assertThat(report.isPassed()).isTrue();
    assertThat(report.tables()).extracting(table -> table.id().toString()).containsExactly("public.a", "public.b");
    assertThat(report.publicationSql()).containsExactly("CREATE PUBLICATION \"" + database.name()
        + "\" FOR TABLE ONLY \"public\".\"a\", ONLY \"public\".\"b\" WITH (publish = 'insert, update, delete, truncate',"
        + " publish_via_partition_root = true)");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "create table t (id int) | NO_KEY | ADD PRIMARY KEY",
      "create table t (id int primary key); alter table t replica identity nothing | NO_KEY | REPLICA IDENTITY DEFAULT",
      "create table t (id int primary key deferrable) | NO_KEY | not deferrable",
      "create table t (id int primary key deferrable); alter table t replica identity full | NO_KEY | not deferrable",
      "create unlogged table t (id int primary key) | NOT_PERMANENT | SET LOGGED",
      "create view t as select 1 as id | NOT_A_TABLE | leave it out with !public.t",
      "create materialized view t as select 1 as id | NOT_A_TABLE | leave it out with !public.t",
      "create table t (id int primary key, a int, \"A\" int) | COLUMN_NAMES | rename",
      "create table t (id int primary key, \"'q'\" int) | COLUMN_NAMES | rename",
      "create table t (id int primary key, \"`q`\" int) | COLUMN_NAMES | rename",
      "create table t (id int primary key, g int generated always as (id + 1) stored) | GENERATED_COLUMN | DROP EXPRESSION",
      "create type m as enum ('a'); create function mj(m) returns json language sql return '1'::json;"
          + " create cast (m as json) with function mj(m); create table t (id int primary key, v m[]) | SERVER_CAST | DROP CAST",
      "create table t (id int primary key) partition by range (id); create unlogged table t1 partition of t default"
          + " | NOT_PERMANENT | ALTER TABLE \"public\".\"t1\" SET LOGGED",
      "create table t (id int primary key) partition by range (id); create table t1 partition of t default;"
          + " alter table t1 replica identity nothing | NO_KEY | ALTER TABLE \"public\".\"t1\" REPLICA IDENTITY DEFAULT"})
  void shouldRefuseATableWithReasonAndCureWhileTheOthersGoOn(String ddl, Kind kind, String cure) {
    // Given
    database.execute("create table good (id int primary key)", ddl);

    // When
    PreflightReport report = check("public.good,public.t");

    // Then
    assertThat(kinds(report)).containsExactly(kind);
    assertThat(report.findings().get(0).toString()).startsWith("table public.t ").contains(cure);
    assertThat(report.refused()).containsExactly(new TableId("public", "t"));
    assertThat(report.tables()).extracting(table -> table.id().toString()).containsExactly("public.good");
    assertThat(report.isPassed()).isTrue();
  }

  @Test
  void shouldRefuseATableThatTheStreamCannotTellFromAnother() {
    // Given
    database.execute("create schema x", "create schema \"x.y\"", "create table x.\"y.z\" (id int primary key)",
        "create table \"x.y\".z (id int primary key)", "create table x.\"alone.z\" (id int primary key)");

    // When
    PreflightReport report = check("x.*");

    // Then
    assertThat(kinds(report)).containsExactly(Kind.TABLE_NAME);
    assertThat(report.findings().get(0).toString()).contains("\"x\".\"y.z\"").contains("\"x.y\".\"z\"")
        .contains("rename");
    assertThat(report.tables()).extracting(table -> table.id().table()).containsExactly("alone.z");
  }

  @Test
  void shouldReportEverythingAtOnceToARoleWithoutRights() {
    // Given
    String role = database.newRole(PASSWORD, "");
    database.execute("create schema shop", "create table shop.a (id int primary key)",
        "create table shop.b (id int primary key)", "alter table shop.b enable row level security",
        "grant usage on schema shop to " + role, "grant select on shop.b to " + role, "create table shop.c (id int)");

    // When
    PreflightReport report = check(database.address(role, PASSWORD), "shop.*,shop.missing");

    // Then
    assertThat(kinds(report)).containsExactlyInAnyOrder(Kind.NO_REPLICATION_RIGHT, Kind.NO_TABLE, Kind.NO_SELECT_RIGHT,
        Kind.ROW_SECURITY,
        Kind.NO_SELECT_RIGHT, Kind.NO_KEY, Kind.PUBLICATION);
    assertThat(report.isPassed()).isFalse();
    assertThat(report.findings()).extracting(Finding::cure)
        .anyMatch(cure -> cure.contains("ALTER ROLE \"" + role + "\" REPLICATION"))
        .anyMatch(cure -> cure.contains("GRANT SELECT ON \"shop\".\"a\" TO \"" + role + "\""))
        .anyMatch(cure -> cure.contains("ALTER ROLE \"" + role + "\" BYPASSRLS"))
        .anyMatch(cure -> cure.contains("CREATE PUBLICATION"));
  }

  @Test
  void shouldPassForARoleThatIsNoSuperuserOnceItHasWhatTheFindingsAskFor() {
    // Given
    String role = database.newRole(PASSWORD, "replication");
    database.execute("create schema shop", "create table shop.a (id int primary key)",
        "grant usage on schema shop to " + role,
        "grant select on shop.a to " + role,
        "create publication " + database.name() + " for table only shop.a with (publish_via_partition_root = true)");

    // When
    PreflightReport report = check(database.address(role, PASSWORD), "shop.*");

    // Then
    assertThat(report.findings()).isEmpty();
    assertThat(report.publicationSql()).isEmpty();
  }

  @Test
  void shouldTellAWrongPasswordAMissingDatabaseAndAServerThatIsNotThereApart() {
    // Given
    String role = database.newRole(PASSWORD, "replication");
    SourceAddress address = database.address();

    // When
    List<Kind> wrongPassword = kinds(check(database.address(role, "wrong"), "public.*"));
    List<Kind> noPassword = kinds(check(database.address(role, null), "public.*"));
    List<Kind> noDatabase = kinds(
        check(new SourceAddress(address.host(), address.port(), "nowhere", address.user(), address.password(),
            Map.of()), "public.*"));
    PreflightReport noServer = check(new SourceAddress("localhost", 1, "db", "someone", PASSWORD, Map.of()),
        "public.*");

    // Then
    assertThat(wrongPassword).containsExactly(Kind.WRONG_PASSWORD);
    assertThat(noPassword).containsExactly(Kind.WRONG_PASSWORD);
    assertThat(noDatabase).containsExactly(Kind.NO_DATABASE);
    assertThat(kinds(noServer)).containsExactly(Kind.UNREACHABLE);
    assertThat(noServer.findings().get(0).toString()).contains("postgres://someone@localhost:1/db")
        .doesNotContain(PASSWORD);
  }

  @Test
  void shouldSuggestTheTableThatWasMeant() {
    // Given
    database.execute("create schema shop", "create table shop.\"Orders\" (id int primary key)");

    // When
    PreflightReport report = check("shop.orders");

    // Then
    assertThat(kinds(report)).containsExactly(Kind.NO_TABLE);
    assertThat(report.findings().get(0).toString()).contains("table shop.orders does not exist")
        .contains("did you mean shop.Orders?");
  }

  @Test
  void shouldFindNoTableWhereAPatternMatchesNone() {
    // When
    PreflightReport report = check("shop.*");

    // Then
    assertThat(kinds(report)).containsExactly(Kind.NO_TABLE);
    assertThat(report.isPassed()).isFalse();
  }

  @Test
  void shouldNameWhatAPublicationLacksAndPutItRight() throws Exception {
    // Given
    database.execute("create table a (id int primary key)", "create table b (id int primary key)",
        "create table nokey (x int)",
        "create publication " + database.name() + " for table a, nokey with (publish = 'insert')");
    PreflightReport before = check("public.*");

    // When
    try (Connection connection = SourceConnections.open(database.address()).connect()) {
      Publication.apply(connection, before.publicationSql());
    }

    // Then
    String publication = "ALTER PUBLICATION \"" + database.name() + "\" ";
    assertThat(before.publicationSql()).containsExactly(
        publication + "SET (publish = 'insert, update, delete, truncate', publish_via_partition_root = true)",
        publication + "ADD TABLE ONLY \"public\".\"b\"", publication + "DROP TABLE ONLY \"public\".\"nokey\"");
    assertThat(kinds(before)).containsExactly(Kind.NO_KEY);
    assertThat(check("public.*").publicationSql()).isEmpty();
  }

  @Test
  void shouldRefuseATableOfWhichThePublicationLeavesOutColumnsOrRows() {
    // Given
    database.execute("create table a (id int primary key, v text)", "create table b (id int primary key)",
        "create table c (id int primary key)", "create publication " + database.name()
            + " for table a (id), b where (id > 1), c with (publish_via_partition_root = true)");

    // When
    PreflightReport report = check("public.*");

    // Then
    assertThat(kinds(report)).containsExactly(Kind.PUBLICATION_FILTER, Kind.PUBLICATION_FILTER);
    assertThat(report.tables()).extracting(table -> table.id().table()).containsExactly("c");
  }

  @Test
  void shouldNotStartWithAPublicationThatHoldsATableAtWhichEverythingWouldStop() {
    // Given
    database.execute("create table a (id int primary key)",
        "create table foreign_to_us (id int primary key, v int, \"V\" int)",
        "create publication " + database.name() + " for all tables with (publish_via_partition_root = true)");

    // When
    PreflightReport report = check("public.a");

    // Then
    assertThat(kinds(report)).containsExactly(Kind.PUBLICATION);
    assertThat(report.isPassed()).isFalse();
    assertThat(report.findings().get(0).toString()).contains("holds table public.foreign_to_us");
  }

  @Test
  void shouldNotStartWhereATypeKeepsDebeziumFromStarting() {
    // Given
    database.execute("create table a (id int primary key)", "create type mood as enum ('sad')",
        "create domain feeling as mood", "create type nothing as enum ()");

    // When
    PreflightReport report = check("public.a");

    // Then
    assertThat(kinds(report)).containsExactly(Kind.ENUM_WITHOUT_LABELS, Kind.ENUM_WITHOUT_LABELS);
    assertThat(report.isPassed()).isFalse();
    assertThat(report.findings().get(0).toString()).contains("domain public.feeling",
        "DROP DOMAIN \"public\".\"feeling\"");
    assertThat(report.findings().get(1).toString()).contains("type public.nothing",
        "ALTER TYPE \"public\".\"nothing\" ADD VALUE");
  }

  @Test
  void shouldRefuseNamesThatPostgresWouldFoldOrRefuse() {
    // Given
    database.execute("create table a (id int primary key)");

    // When
    PreflightReport report = Preflight.check(database.address(), TablePatterns.parse("public.a"), "My-Slot",
        "pub,lication");

    // Then
    assertThat(kinds(report)).containsExactly(Kind.NAME, Kind.NAME);
  }

  @Test
  void shouldRefuseADatabaseWhoseTextsMayBeNoText() {
    // Given
    String ascii = database.name() + "_ascii";
    database.execute("create database " + ascii + " template template0 encoding 'SQL_ASCII' locale 'C'");
    SourceAddress address = new SourceAddress(database.host(), database.port(), ascii, database.user(),
        database.password(), Map.of());

    // When
    List<Kind> kinds = kinds(check(address, "*.*"));

    // Then
    database.execute("drop database " + ascii);
    assertThat(kinds).contains(Kind.ENCODING);
  }
}
