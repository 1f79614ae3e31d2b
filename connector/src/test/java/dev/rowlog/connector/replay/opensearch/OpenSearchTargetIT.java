package dev.rowlog.connector.replay.opensearch;

import dev.rowlog.connector.replay.ServerProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** OpenSearch 2.19. */
@EnabledIfSystemProperty(named = "tests.thorough", matches = "true")
class OpenSearchTargetIT extends SearchTargetContract {
  @TempDir
  static Path folder;

  private static ServerProcess server;

  @BeforeAll
  static void start() {
    server = ServerProcess.openSearch(folder);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  ServerProcess server() {
    return server;
  }
}
