package dev.rowlog.connector.replay.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.RowlogApp;
import dev.rowlog.connector.catalog.SourceConnections;
import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.mirror.MirrorListener;
import dev.rowlog.connector.options.HttpOptions;
import dev.rowlog.connector.options.RowlogOptions;
import dev.rowlog.connector.options.SourceOptions;
import dev.rowlog.connector.postgres.AllTypes;
import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import dev.rowlog.connector.postgres.UtcJvm;
import dev.rowlog.connector.replay.ReplayProcess;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A mirrored table of every type, replayed into a database that knows none of the user's types. */
@ExtendWith(UtcJvm.class)
class PostgresTypesIT {
  @TempDir
  Path directory;

  @Test
  void shouldPrintEveryTypeAsTheSourceDoes() throws Exception {
    // Given
    try (TestDatabase source = PostgresFixture.shared().newDatabase();
        TestDatabase copy = PostgresFixture.shared().newDatabase()) {
      AllTypes.prelude().forEach(source::execute);
      AllTypes.ddl().forEach(source::execute);
      AllTypes.inserts().forEach(source::execute);
      RowlogOptions options = new RowlogOptions(
          new SourceOptions(source.address(), TablePatterns.parse("kinds.*"), source.name(), source.name(), Map.of()),
          directory, "t",
          LogConfig.defaults(), CleanerConfig.defaults().with("log.cleaner.dedupe.buffer.size", "4194304"),
          new HttpOptions(false, "127.0.0.1", 0, null), 2, Duration.ofMillis(500));
      try (RowlogApp app = RowlogApp.start(options, RowlogApp.systemEnvironment(), MirrorListener.NONE)) {
        assertThat(app.awaitStreaming(Duration.ofSeconds(60))).isTrue();
      }

      // When
      ReplayProcess.runOnce(directory, List.of("postgres", "--url", copy.url()));

      // Then
      List<String> expected = rows(source);
      List<String> actual = rows(copy);
      assertThat(actual).hasSameSizeAs(expected);
      List<String> differences = new ArrayList<>();
      for (int i = 0; i < expected.size(); i++) {
        if (!expected.get(i).equals(actual.get(i))) {
          differences.add(expected.get(i) + "\nis\n" + actual.get(i));
        }
      }
      assertThat(differences).isEmpty();
    }
  }

  /** As every connection of ours prints them. */
  private static List<String> rows(TestDatabase database) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = SourceConnections.open(database.address()).connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement
            .executeQuery("select to_json(t.*)::text from " + AllTypes.TABLE + " t order by 1")) {
      while (result.next()) {
        rows.add(result.getString(1));
      }
    }
    return rows;
  }
}
