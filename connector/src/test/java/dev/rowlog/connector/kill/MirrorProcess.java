package dev.rowlog.connector.kill;

import dev.rowlog.connector.Main;
import dev.rowlog.connector.postgres.Eventually;
import dev.rowlog.connector.postgres.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code rowlog run} in a JVM of its own. */
final class MirrorProcess implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(90);
  private static final Duration CATCH_UP = Duration.ofMinutes(5);

  private final Process process;
  private final Path data;
  private final Path output;

  private MirrorProcess(Process process, Path data, Path output) {
    this.process = process;
    this.data = data;
    this.output = output;
  }

  static MirrorProcess start(TestDatabase database, Path data, List<String> options) throws IOException {
    Path output = Files.createTempFile("rowlog-run", ".log");
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-XX:TieredStopAtLevel=1",
        "-cp", System.getProperty("java.class.path"), Main.class.getName(), "run",
        "--source.url", database.url(), "--source.tables", "bank.*",
        "--source.slot", database.name(), "--source.publication", database.name(),
        "--data.dir", data.toString(), "--http.listen", "127.0.0.1:0"));
    command.addAll(options);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    return new MirrorProcess(process, data, output);
  }

  /** Waits until the process says that it streams. */
  void awaitStreaming() {
    Eventually.holds("the process streams\n" + output(), DEADLINE, () -> {
      if (!process.isAlive()) {
        throw new AssertionError("ended by itself with " + process.exitValue() + ":\n" + output());
      }
      return output().contains("\"streaming from ");
    });
  }

  /** SIGKILL after so many milliseconds; the process must not have ended by itself before. */
  void killAfter(int delayMs) throws InterruptedException {
    if (process.waitFor(delayMs, TimeUnit.MILLISECONDS)) {
      throw new AssertionError("ended by itself with " + process.exitValue() + ":\n" + output());
    }
    process.destroyForcibly().waitFor();
  }

  /** Returns when everything that the database had committed up to this LSN is in the logs. */
  void awaitCommitted(String lsn) throws Exception {
    Eventually.holds("rowlog status --wait-lsn " + lsn + "\n" + output(), CATCH_UP, () -> {
      if (!process.isAlive()) {
        throw new AssertionError("ended by itself with " + process.exitValue() + ":\n" + output());
      }
      return status("--wait-lsn", lsn, "--timeout", "60") == 0;
    });
  }

  private int status(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m", "-XX:TieredStopAtLevel=1",
        "-cp", System.getProperty("java.class.path"), Main.class.getName(), "status", "--data", data.toString()));
    command.addAll(List.of(options));
    return new ProcessBuilder(command).redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile())).start().waitFor();
  }

  /** SIGTERM; the exit code. */
  int terminate() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("did not end within " + DEADLINE + " of SIGTERM:\n" + output() + stacks());
    }
    return process.exitValue();
  }

  /** What its threads are doing. */
  private String stacks() {
    try {
      return new String(new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jstack").toString(),
          Long.toString(process.pid()))
          .redirectErrorStream(true).start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }

  String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Files.deleteIfExists(output);
  }
}
