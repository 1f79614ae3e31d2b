package dev.rowlog.connector.replay.opensearch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlog.connector.replay.ReplayProcess;
import dev.rowlog.connector.replay.ServerProcess;
import dev.rowlog.connector.replay.ShopLogs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a search target promises, whatever the engine. */
abstract class SearchTargetContract {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir
  Path directory;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);
  private ShopLogs logs;
  private SearchReads reads;
  private String prefix;

  abstract ServerProcess server();

  @BeforeEach
  void create() {
    logs = ShopLogs.create(directory);
    reads = new SearchReads(server().port());
    prefix = "p" + Long.toString(Math.abs(random.nextLong()), 36) + "-";
  }

  @AfterEach
  void close() {
    logs.close();
  }

  private List<String> arguments(String... more) {
    List<String> arguments = new ArrayList<>(
        List.of("opensearch", "--url", "http://127.0.0.1:" + server().port(), "--tables", "shop.*",
            "--index.prefix", prefix, "--batch.rows", "500"));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private void assertEqualToTheTables() {
    assertDocuments("shop.items", logs.items().values());
    assertDocuments("shop.lines", logs.lines().values());
  }

  private void assertDocuments(String alias, Collection<String> rows) {
    Map<String, JsonNode> documents = reads.documents(prefix + alias);
    assertThat(documents.values().stream().map(JsonNode::toString).sorted().toList()).as("%s, seed %d", alias, seed)
        .isEqualTo(rows.stream().map(SearchTargetContract::normalized).sorted().toList());
  }

  private static String normalized(String json) {
    try {
      return JSON.readTree(json).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void shouldEndEqualToTheTables_whenKilledAgainAndAgain() throws Exception {
    // When
    ReplayProcess.killAgainAndAgain(logs, directory, arguments(), random);

    // Then
    assertEqualToTheTables();
  }

  @Test
  void shouldBuildBesideAndSwitchTheAlias_whenDeletesHaveBeenCleanedAway() throws Exception {
    // Given
    logs.transact(random, 30, 20);
    ReplayProcess.runOnce(directory, arguments());
    assertEqualToTheTables();
    assertThat(reads.ask("GET", "/" + prefix + "shop.items/_alias", null).has(prefix + "shop.items-000001")).isTrue();
    logs.deleteAll();
    logs.clean();

    // When
    ReplayProcess.runOnce(directory, arguments());

    // Then
    assertEqualToTheTables();
    JsonNode behind = reads.ask("GET", "/" + prefix + "shop.items*/_alias", null);
    List<String> names = new ArrayList<>();
    behind.fieldNames().forEachRemaining(names::add);
    assertThat(names).containsExactly(prefix + "shop.items-000002");
  }

  @Test
  void shouldFindRowsByTheirColumns_andKeepTheOffsetAsTheVersion() throws Exception {
    // Given
    logs.fill(20);
    ReplayProcess.runOnce(directory, arguments());

    // When
    JsonNode found = reads.ask("POST", "/" + prefix + "shop.items/_search?version=true",
        "{\"query\":{\"bool\":{\"must\":[{\"match\":{\"name\":\"row 7\"}},{\"range\":{\"id\":{\"gte\":1000007,\"lte\":1000007}}}]}}}");

    // Then
    JsonNode hit = found.path("hits").path("hits").path(0);
    assertThat(hit.path("_id").asText()).isEqualTo("1000007");
    assertThat(hit.path("_version").asLong()).isEqualTo(7);
    assertThat(hit.path("_source").toString())
        .isEqualTo(normalized("{\"id\":1000007,\"name\":\"row 7\",\"price\":1000007.50}"));
  }

  @Test
  void shouldRefuseAnIndexThatItDidNotMake() throws Exception {
    // Given
    logs.transact(random, 3, 20);
    reads.ask("PUT", "/" + prefix + "shop.items/_doc/1", "{\"mine\":1}");

    // When
    try (ReplayProcess refused = ReplayProcess.start(directory, arguments())) {
      // Then
      assertThat(refused.awaitEnd()).isEqualTo(3);
      assertThat(refused.output()).contains(
          "so that a start at zero would keep rows that are not in the table; delete " + prefix + "shop.items there");
    }

    // When
    ReplayProcess.runOnce(directory, arguments("--rebuild"));

    // Then
    assertEqualToTheTables();
  }
}
