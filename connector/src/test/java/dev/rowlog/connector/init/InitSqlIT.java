package dev.rowlog.connector.init;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.config.url.SourceUrl;
import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The script as a database administrator runs it, and what the role can do afterwards. */
class InitSqlIT {
  private static final String SALT = "0123456789abcdef";
  private TestDatabase database;
  private String role;

  @BeforeEach
  void open() {
    database = PostgresFixture.shared().newDatabase();
    // Only so that the server asks for its password and the fixture drops it; the script sets everything else.
    role = database.newRole("forgotten", "");
    database.execute(
        "create schema \"My Shop\"",
        "create table \"My Shop\".\"it's\" (id int primary key)",
        "create table \"My Shop\".x_1 (id int primary key)",
        "create table \"My Shop\".xy1 (id int primary key)",
        "create table public.orders (id int primary key, v text)",
        "create table public.audit (id int primary key)",
        "create table public.no_key (v text)",
        "create table public.computed (id int primary key, g int generated always as (id + 1) stored)",
        "create table public.whole_row (v text)", "alter table public.whole_row replica identity full",
        "create table public.deferrable (id int primary key deferrable)",
        "create table public.whole_row_with_key (id int primary key deferrable)",
        "alter table public.whole_row_with_key replica identity full",
        "create table public.parted (id int primary key) partition by range (id)",
        "create table public.parted_1 partition of public.parted for values from (0) to (10)");
  }

  @AfterEach
  void close() {
    database.execute("drop publication if exists p", "drop owned by " + role);
    database.close();
  }

  @Test
  void shouldPublishTheSelectedTablesThatCanBe() {
    // When
    database.execute(script("public.*,!public.audit,\"My Shop\".\"it's\",\"My Shop\".x_*"));
    // Then
    assertThat(database
        .queryTexts("select schemaname || '.' || tablename from pg_publication_tables where pubname = 'p' order by 1"))
        .containsExactly("My Shop.it's", "My Shop.x_1", "public.orders", "public.parted", "public.whole_row_with_key");
    assertThat(database.queryText("select pubviaroot from pg_publication where pubname = 'p'")).isEqualTo("t");
  }

  @Test
  void shouldLetTheRoleReadAndReplicateWithItsPasswordAndNothingElse() throws SQLException {
    // When
    database.execute(script("public.orders"));
    // Then
    try (Connection connection = DriverManager.getConnection(database.jdbcUrl(), role, "s3cret ß");
        Statement statement = connection.createStatement()) {
      statement.execute("select * from public.orders");
      statement.execute("select pg_create_logical_replication_slot('" + role + "_s', 'pgoutput', true)");
      assertThatThrownBy(() -> statement.execute("insert into public.orders values (1)"))
          .hasMessageContaining("permission denied");
      assertThatThrownBy(() -> statement.execute("select * from public.audit"))
          .hasMessageContaining("permission denied");
    }
    assertThat(database.queryText("select rolsuper from pg_roles where rolname = ?", role)).isEqualTo("f");
  }

  @Test
  void shouldRunAgainAndAddWhatIsNew() {
    // Given
    database.execute(script("public.*"), "create table public.later (id int primary key)");
    // When
    database.execute(script("public.*"));
    // Then
    assertThat(database.queryTexts("select tablename from pg_publication_tables where pubname = 'p' order by 1"))
        .containsExactly("audit", "later", "orders", "parted", "whole_row_with_key");
  }

  @Test
  void shouldNotShowThePassword() {
    assertThat(script("public.*")).doesNotContain("s3cret").contains("password 'SCRAM-SHA-256$4096:");
  }

  @Test
  void shouldSetNoPasswordAndSayHowWhereNoneIsGiven() {
    // Given
    SourceUrl url = new SourceUrl(database.host(), database.port(), database.name(), role, "the admin's", Map.of());
    // When
    String script = new InitSql(url, TablePatterns.parse("public.orders"), role, Optional.empty(), "p").text();
    database.execute(script);
    // Then
    assertThat(script).contains("\\password \"" + role + "\"").doesNotContain("the admin")
        .doesNotContain("login replication password");
  }

  private String script(String tables) {
    SourceUrl url = new SourceUrl(database.host(), database.port(), database.name(), role, "s3cret ß", Map.of());
    String verifier = ScramVerifier.of("s3cret ß", SALT.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    return new InitSql(url, TablePatterns.parse(tables), role, Optional.of(verifier), "p").text();
  }
}
