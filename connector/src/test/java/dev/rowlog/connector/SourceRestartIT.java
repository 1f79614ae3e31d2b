package dev.rowlog.connector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.catalog.SourceAddress;
import dev.rowlog.connector.mirror.MirrorListener;
import dev.rowlog.connector.mirror.MirrorState;
import dev.rowlog.connector.postgres.Eventually;
import dev.rowlog.connector.postgres.UtcJvm;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A server of its own, which can be stopped and started: the one thing that the shared server is not for. */
@ExtendWith(UtcJvm.class)
class SourceRestartIT {

  @TempDir
  Path data;

  @TempDir
  Path cluster;

  @Test
  void shouldComeBackByItselfWhenTheDatabaseIsRestarted() throws Exception {
    // Given
    EmbeddedPostgres postgres = start(0);
    int port = postgres.getPort();
    execute(port, "create table public.t (id int primary key, v text)", "insert into public.t values (1, 'before')");
    SourceAddress address = new SourceAddress("localhost", port, "postgres", "postgres", "postgres", Map.of());
    try (RunningMirror mirror = RunningMirror
        .start(RunningMirror.options(address, "rowlog", data, "public.t"), MirrorListener.NONE).awaitStreaming()) {
      Eventually.holds("ready", RunningMirror.LONG, () -> ready(mirror) == 200);

      // When
      postgres.close();
      Eventually.holds("not ready", RunningMirror.LONG, () -> ready(mirror) == 503);
      Eventually.holds("recovering", RunningMirror.LONG, () -> mirror.app().status().state() == MirrorState.RECOVERING);
      postgres = start(port);
      execute(port, "insert into public.t values (2, 'after')");

      // Then
      Eventually.holds("streams again", RunningMirror.LONG,
          () -> mirror.app().status().state() == MirrorState.STREAMING);
      mirror.catchUp();
      assertThat(ReplayedLog.read(mirror.app().engine(), "t.public.t").rows()).hasSize(2);
      assertThat(mirror.app().status().restarts()).isPositive();
      assertThat(mirror.app().status().lastError()).isNotBlank();
      Eventually.holds("ready again", RunningMirror.LONG, () -> ready(mirror) == 200);
    } finally {
      postgres.close();
    }
  }

  private EmbeddedPostgres start(int port) throws IOException {
    return EmbeddedPostgres.builder()
        .setDataDirectory(cluster)
        .setCleanDataDirectory(false)
        .setPort(port)
        .setLocaleConfig("locale", "C")
        .setServerConfig("wal_level", "logical")
        .setServerConfig("synchronous_commit", "on")
        .start();
  }

  private static void execute(int port, String... statements) throws SQLException {
    try (
        Connection connection = DriverManager
            .getConnection("jdbc:postgresql://localhost:" + port + "/postgres?user=postgres");
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static int ready(RunningMirror mirror) throws IOException, InterruptedException {
    URI uri = URI.create(mirror.app().httpAddress().orElseThrow() + "/ready");
    return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
