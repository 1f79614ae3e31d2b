package dev.rowlog.connector.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.postgres.Eventually;
import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The package that the build made, unpacked and started as an administrator would, from another folder and through a link. */
class InstallationSystemIT {
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @TempDir
  Path folder;

  private Path rowlog;

  @BeforeEach
  void unpack() throws Exception {
    Path home = Files.createDirectories(folder.resolve("opt"));
    run(Map.of(), SystemProgram.TAR.require().toString(), "-xzf", builtPackage().toString(), "-C", home.toString(),
        "--strip-components=1");
    rowlog = Files.createSymbolicLink(folder.resolve("rowlog"), home.resolve("rowlog"));
  }

  @Test
  void shouldMirrorFromTheUnpackedPackageAndEndWhenTold() throws Exception {
    try (TestDatabase database = PostgresFixture.shared().newDatabase()) {
      // Given
      database.execute("create table public.t (id int primary key, v text)", "insert into public.t values (1, 'a')");
      Path data = folder.resolve("data");
      Path output = folder.resolve("run.log");
      Process mirror = start(output, Map.of("ROWLOG_LOGGING_ROWS", "1", "ROWLOG_LOGGING_FORMAT", "text"), "run",
          "--source.url", database.url(), "--source.slot", database.name(), "--source.publication", database.name(),
          "--topic.compression.type", "zstd", "--data.dir", data.toString(), "--http.listen", "127.0.0.1:0");
      try {
        Eventually.holds("streams", PATIENCE,
            () -> !mirror.isAlive() || Files.readString(output).contains("streaming from"));

        // When
        database.execute("insert into public.t values (2, 'b')");
        String lsn = database.queryText("select pg_current_wal_lsn()");
        run(Map.of(), rowlog.toString(), "status", "--wait-lsn", lsn, "--timeout", "60", "--data", data.toString());
        String read = run(Map.of(), rowlog.toString(), "topic", "read", database.name() + ".public.t",
            "--from-beginning", "--format", "%k %v\\n", "--data", data.toString());
        mirror.destroy();

        // Then
        assertThat(mirror.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(mirror.exitValue()).as(Files.readString(output)).isEqualTo(143);
        assertThat(read).isEqualTo("{\"id\":1} {\"id\":1,\"v\":\"a\"}\n{\"id\":2} {\"id\":2,\"v\":\"b\"}\n");
        assertThat(Files.readString(output))
            .contains("→ " + database.name() + ".public.t @1  {\"id\":2}  {\"id\":2,\"v\":\"b\"}");
      } finally {
        mirror.destroyForcibly();
      }
    }
  }

  @Test
  void shouldStartFromTheArchiveThatTheDemoLeft() throws Exception {
    // Given
    String version = run(Map.of(), rowlog.toString(), "--version");

    // When
    String demo = run(Map.of("ROWLOG_TRAIN", "yes"), rowlog.toString(), "demo", "--exit");

    // Then
    assertThat(version).startsWith("rowlog ").contains(" on Java ").hasLineCount(1);
    assertThat(demo).contains("equal, byte for byte");
    List<Path> archives = list(folder.resolve("opt"), "start-*");
    assertThat(archives).hasSize(1);
    String loaded = run(Map.of("ROWLOG_JAVA_OPTS", "-Xlog:class+load"), rowlog.toString(), "--version");
    assertThat(loaded).containsPattern("dev\\.rowlog\\.connector\\.Main source: shared objects file");
    assertThat(run(Map.of(), rowlog.toString(), "--version")).isEqualTo(version);
    // An archive that does not fit, such as another Java's, is left alone without a word.
    Files.write(archives.get(0), new byte[4096]);
    assertThat(run(Map.of(), rowlog.toString(), "--version")).isEqualTo(version);
  }

  private static Path builtPackage() throws IOException {
    List<Path> packages = list(Path.of("target"), "rowlog-*.tar.gz");
    assertThat(packages).as("what mvn package leaves in target").hasSize(1);
    return packages.get(0).toAbsolutePath();
  }

  private static List<Path> list(Path folder, String pattern) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, pattern)) {
      files.forEach(found::add);
    }
    return found;
  }

  private String run(Map<String, String> variables, String... command) throws Exception {
    Path output = Files.createTempFile(folder, "output", ".txt");
    Path error = Files.createTempFile(folder, "error", ".txt");
    Process process = builder(variables, command).redirectOutput(output.toFile()).redirectError(error.toFile()).start();
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("ends: %s", List.of(command)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(output) + Files.readString(error)).isZero();
    return Files.readString(output);
  }

  private Process start(Path output, Map<String, String> variables, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(rowlog.toString()));
    command.addAll(List.of(arguments));
    File file = Files.createFile(output).toFile();
    return builder(variables, command.toArray(String[]::new)).redirectErrorStream(true).redirectOutput(file).start();
  }

  private ProcessBuilder builder(Map<String, String> variables, String... command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("ROWLOG_"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(variables);
    return builder;
  }
}
