package dev.rowlog.connector.replay.opensearch;

import dev.rowlog.connector.replay.ServerProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** OpenSearch 2.19. */
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
