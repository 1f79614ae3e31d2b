package dev.rowlog.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.Main;
import dev.rowlog.connector.metrics.PrometheusLines;
import dev.rowlog.connector.postgres.Eventually;
import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import dev.rowlog.connector.serve.http.ApiFile;
import dev.rowlog.engine.disk.NioDisk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rowlog run} with targets: one that keeps up, and one that accepts connections and never answers. */
class RunTargetIT {
  private static final Duration DEADLINE = Duration.ofSeconds(90);

  @TempDir
  Path directory;

  @Test
  void shouldKeepATargetUpToDate_whileAnotherStandsStill() throws Exception {
    try (TestDatabase source = PostgresFixture.shared().newDatabase();
        TestDatabase copy = PostgresFixture.shared().newDatabase();
        ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      // Given
      source.execute("create table public.things (id int primary key, name text)",
          "insert into things select i, 'thing ' || i from generate_series(1, 500) i");
      Path output = directory.resolve("output");
      Process process = new ProcessBuilder(command(source, copy, silent.getLocalPort())).redirectErrorStream(true)
          .redirectOutput(output.toFile()).start();
      try {
        Eventually.holds("the copy has the first rows", DEADLINE, () -> isEqual(source, copy, process, output));

        // When
        source.execute("update things set name = 'changed' where id < 100", "delete from things where id > 400",
            "insert into things values (1000, 'new')");

        // Then
        Eventually.holds("the copy follows", DEADLINE, () -> isEqual(source, copy, process, output));
        assertThat(Files.readString(output)).contains("target copy: public.things is complete");

        PrometheusLines lines = metrics();
        assertThat(lines.value("rowlog_replay_rows_total{target=copy}")).isGreaterThanOrEqualTo(500);
        assertThat(lines.value("rowlog_replay_next_offset{target=copy, topic=" + source.name() + ".public.things}"))
            .isGreaterThanOrEqualTo(500);
        assertThat(lines.value("rowlog_replay_running{target=stuck}")).isEqualTo(1);
        assertThat(lines.value("rowlog_replay_commit_offset{target=stuck}")).isEqualTo(-1);

        // When
        process.destroy();

        // Then
        assertThat(process.waitFor(60, TimeUnit.SECONDS))
            .as("ends in spite of the silent target\n%s", Files.readString(output)).isTrue();
        assertThat(process.exitValue()).isIn(0, 143);
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
  }

  private PrometheusLines metrics() throws IOException, InterruptedException {
    String address = ApiFile.read(new NioDisk(), directory.resolve("data")).orElseThrow().address();
    return PrometheusLines.parse(HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(address + "/metrics")).build(), HttpResponse.BodyHandlers.ofString())
        .body());
  }

  private List<String> command(TestDatabase source, TestDatabase copy, int silentPort) {
    return new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-XX:TieredStopAtLevel=1",
        "-cp",
        System.getProperty("java.class.path"), Main.class.getName(), "run", "--source.url", source.url(),
        "--source.tables", "public.*",
        "--source.slot", source.name(), "--source.publication", source.name(), "--data.dir",
        directory.resolve("data").toString(),
        "--http.listen", "127.0.0.1:0", "--target.copy.type", "postgres", "--target.copy.url=" + copy.url(),
        "--target.stuck.type=redis", "--target.stuck.url", "redis://127.0.0.1:" + silentPort));
  }

  private static boolean isEqual(TestDatabase source, TestDatabase copy, Process process, Path output)
      throws IOException {
    if (!process.isAlive()) {
      throw new AssertionError("ended by itself:\n" + Files.readString(output));
    }
    if (copy.queryText("select to_regclass('public.things')::text") == null) {
      return false;
    }
    String all = "select string_agg(to_json(t.*)::text, ',' order by id) from things t";
    return source.queryText(all).equals(copy.queryText(all));
  }
}
