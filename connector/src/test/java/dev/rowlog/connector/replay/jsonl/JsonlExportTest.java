package dev.rowlog.connector.replay.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.replay.ShopLogs;
import dev.rowlog.connector.replay.loop.ReplayListener;
import dev.rowlog.connector.replay.loop.ReplayView;
import dev.rowlog.engine.disk.NioDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonlExportTest {
  @TempDir
  Path directory;

  @TempDir
  Path folder;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);

  private void assertEqualToTheTables(ShopLogs logs) throws IOException {
    assertThat(sorted("t.shop.items.jsonl")).as("seed %d", seed)
        .isEqualTo(logs.items().values().stream().sorted().toList());
    assertThat(sorted("t.shop.lines.jsonl")).as("seed %d", seed)
        .isEqualTo(logs.lines().values().stream().sorted().toList());
  }

  private List<String> sorted(String file) throws IOException {
    return Files.readAllLines(folder.resolve(file)).stream().sorted().toList();
  }

  private Map<Path, Long> export(long budgetBytes, boolean isStopped) {
    try (ReplayView view = ReplayView.open(new NioDisk(), directory, TablePatterns.parse("shop.*"))) {
      return new JsonlExport(folder, budgetBytes, ReplayListener.NONE, () -> isStopped).write(view);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {200, 3_000, 1 << 20})
  void shouldWriteTheLiveRowsOfEachTable_inAsLittleMemoryAsIsGiven(long budgetBytes) throws IOException {
    try (ShopLogs logs = ShopLogs.create(directory)) {
      // Given
      logs.transact(random, 150, 60);
      logs.clean();
      logs.transact(random, 30, 60);

      // When
      Map<Path, Long> rows = export(budgetBytes, false);

      // Then
      assertEqualToTheTables(logs);
      assertThat(rows.values()).containsExactly((long) logs.items().size(), (long) logs.lines().size());
      assertThat(Files.readString(folder.resolve(JsonlExport.POSITION))).contains("\"whole\":true");
    }
  }

  @Test
  void shouldReplaceOlderFiles_andLeaveThemAloneWhenItIsStopped() throws IOException {
    try (ShopLogs logs = ShopLogs.create(directory)) {
      // Given
      logs.transact(random, 20, 20);
      export(1 << 20, false);
      List<String> before = sorted("t.shop.items.jsonl");
      logs.deleteAll();

      // When
      export(1 << 20, true);
      // Then
      assertThat(sorted("t.shop.items.jsonl")).isEqualTo(before);
      try (var files = Files.list(folder)) {
        assertThat(files.map(file -> file.getFileName().toString()))
            .containsExactlyInAnyOrder("t.shop.items.jsonl", "t.shop.lines.jsonl", JsonlExport.POSITION);
      }

      // When
      export(1 << 20, false);
      // Then
      assertEqualToTheTables(logs);
    }
  }
}
