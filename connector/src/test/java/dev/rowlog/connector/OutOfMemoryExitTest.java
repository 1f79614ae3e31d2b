package dev.rowlog.connector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.cli.MirroredDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process of its own with a heap that is too small for what it is asked. */
class OutOfMemoryExitTest {
  private static final int KEYS = 60_000;

  @TempDir
  Path folder;

  @Test
  void shouldEndWithOneSentenceAndExitCodeOne() throws Exception {
    // Given
    Path data = folder.resolve("data");
    try (MirroredDirectory mirror = MirroredDirectory.open(data)) {
      mirror.write("t", IntStream.range(0, KEYS).mapToObj(key -> "a key of some length, number " + key + "=v")
          .toArray(String[]::new));
    }
    Path output = folder.resolve("output");
    Path error = folder.resolve("error");

    // When
    int exitCode = new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx10m", "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), Main.class.getName(), "topic", "read",
        "t", "--latest-per-key", "--data", data.toString())
        .redirectOutput(output.toFile()).redirectError(error.toFile()).start().waitFor();

    // Then
    assertThat(exitCode).isEqualTo(1);
    assertThat(Files.readString(error)).startsWith("rowlog: out of memory: the Java heap is full")
        .contains("ROWLOG_HEAP")
        .hasLineCount(1);
    assertThat(output).isEmptyFile();
  }
}
