package dev.rowlog.connector.replay.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import dev.rowlog.connector.replay.ReplayProcess;
import dev.rowlog.connector.replay.ShopLogs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresTargetIT {
  @TempDir
  Path directory;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);
  private TestDatabase database;
  private ShopLogs logs;

  @BeforeEach
  void create() {
    database = PostgresFixture.shared().newDatabase();
    logs = ShopLogs.create(directory);
  }

  @AfterEach
  void close() {
    logs.close();
    database.close();
  }

  private List<String> arguments(String... more) {
    ArrayList<String> arguments = new ArrayList<>(
        List.of("postgres", "--url", database.url(), "--tables", "shop.*", "--batch.rows", "500"));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private void assertEqualToTheTables() {
    assertRows("shop.items", logs.items());
    assertRows("shop.lines", logs.lines());
  }

  private void assertRows(String table, Map<String, String> expected) {
    List<String> actual = database.queryTexts("select to_json(t.*)::text from " + table + " t").stream().sorted()
        .toList();
    // What PostgreSQL prints: escapes of a text column are its own, those of a json column are the row's.
    assertThat(actual).as("%s, seed %d", table, seed)
        .isEqualTo(expected.values().stream().map(row -> row.replace("n\\u00e4me", "n\u00e4me")).sorted().toList());
  }

  @Test
  void shouldEndEqualToTheTables_whenKilledAgainAndAgain() throws Exception {
    // When
    ReplayProcess.killAgainAndAgain(logs, directory, arguments(), random);

    // Then
    assertEqualToTheTables();
  }

  @Test
  void shouldRefuseATableThatItDidNotMake_andReplaceItWhenAsked() throws Exception {
    // Given
    logs.transact(random, 10, 20);
    database.execute("create schema shop", "create table shop.items (mine int)", "insert into shop.items values (1)");

    // When
    try (ReplayProcess refused = ReplayProcess.start(directory, arguments())) {
      // Then
      assertThat(refused.awaitEnd()).isEqualTo(3);
      assertThat(refused.output())
          .contains("it holds shop.items already and no position of this replay, so that a start at zero would keep"
              + " rows that are not in the table; drop shop.items there");
    }
    assertThat(database.queryText("select mine from shop.items")).isEqualTo("1");

    // When
    ReplayProcess.runOnce(directory, arguments("--rebuild"));

    // Then
    assertEqualToTheTables();
  }

  @Test
  void shouldBuildBesideAndSwitch_whenDeletesHaveBeenCleanedAway() throws Exception {
    // Given
    logs.transact(random, 30, 20);
    ReplayProcess.runOnce(directory, arguments("--schema", "copy"));
    logs.deleteAll();
    logs.clean();

    // When
    String said = ReplayProcess.runOnce(directory, arguments("--schema", "copy"));

    // Then
    assertThat(said).contains("shop.items is built from offset 0: it stands at offset");
    assertRows("copy.items", logs.items());
    assertRows("copy.lines", logs.lines());
    assertThat(database
        .queryTexts("select relname from pg_class c where relnamespace = 'rowlog'::regnamespace and relkind = 'r'"))
        .containsExactly("target_positions");
  }
}
