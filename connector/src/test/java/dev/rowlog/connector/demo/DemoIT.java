package dev.rowlog.connector.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlog.connector.Main;
import dev.rowlog.connector.postgres.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as a user runs it, and its logs as Kafka's own dump tool sees them. */
class DemoIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern DUMPED = Pattern.compile(
      "\\| offset: (\\d+) CreateTime: (\\d+) keySize: \\d+ valueSize: -?\\d+ .* key: (\\{.*?\\})(?: payload: (\\{.*\\}))?$");

  @TempDir
  Path directory;

  @Test
  void shouldFindNoDifferenceAndLeaveLogsThatKafkasDumpToolAgreesWith() throws Exception {
    // Given
    Path data = directory.resolve("logs");

    // When
    Result demo = rowlog("demo", "--exit", "--no-clean", "--data", data.toString());

    // Then
    assertThat(demo.exitCode()).as(demo.output()).isZero();
    assertThat(demo.output()).contains("equal, byte for byte").contains("✝ tombstone");
    assertThat(demo.output().lines()).allMatch(line -> line.codePointCount(0, line.length()) < 80)
        .last().asString().startsWith("✓ equal: ").contains("byte for byte");
    List<String> topics = topics(data);
    assertThat(topics).hasSize(4);
    for (String topic : topics) {
      assertThat(read(data, topic)).as(topic).isNotEmpty().isEqualTo(dumpedByKafka(data, topic));
    }

    // And after cleaning
    Result clean = rowlog("clean", "run", "--roll", "--data", data.toString());
    assertThat(clean.exitCode()).as(clean.output()).isZero();
    for (String topic : topics) {
      assertThat(read(data, topic)).as(topic).isNotEmpty().isEqualTo(dumpedByKafka(data, topic));
    }
  }

  @Test
  void shouldObeyCtrlCInTheMiddleAndLeaveNothingBehind() throws Exception {
    // Given
    Path temporary = Files.createDirectory(directory.resolve("tmp"));
    Path output = directory.resolve("output");
    Process demo = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
        "-XX:TieredStopAtLevel=1", "-Dstdout.encoding=UTF-8", "-Dfile.encoding=UTF-8", "-Djava.io.tmpdir=" + temporary,
        "-cp", System.getProperty("java.class.path"), Main.class.getName(), "demo")
        .redirectErrorStream(true).redirectOutput(output.toFile()).start();
    Eventually.holds("the mirror starts", Duration.ofSeconds(90),
        () -> !demo.isAlive() || Files.readString(output).contains("✓ shop"));
    // When
    new ProcessBuilder("kill", "-INT", Long.toString(demo.pid())).start().waitFor();
    // Then
    assertThat(demo.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(demo.exitValue()).as(Files.readString(output)).isEqualTo(130);
    assertThat(Files.readString(output)).doesNotContain("rowlog: ").doesNotContain("✓ workload");
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left.map(Path::getFileName).map(Path::toString)).noneMatch(name -> name.startsWith("rowlog-demo-"));
    }
  }

  private record Result(int exitCode, String output) {}

  private Result rowlog(String... arguments) throws Exception {
    return run(Main.class.getName(), arguments);
  }

  private Result run(String mainClass, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-XX:TieredStopAtLevel=1",
        "-Dstdout.encoding=UTF-8", "-Dfile.encoding=UTF-8", "-cp", System.getProperty("java.class.path"), mainClass));
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile(directory, "output", ".txt");
    Path errors = Files.createTempFile(directory, "errors", ".txt");
    Process process = new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile())
        .start();
    int exitCode = process.waitFor();
    return new Result(exitCode, Files.readString(output) + (exitCode == 0 ? "" : Files.readString(errors)));
  }

  private static List<String> topics(Path data) throws IOException {
    try (Stream<Path> folders = Files.list(data)) {
      return folders.map(folder -> folder.getFileName().toString())
          .filter(name -> name.endsWith("-0") && !name.startsWith("__"))
          .map(name -> name.substring(0, name.length() - 2)).sorted().toList();
    }
  }

  /** Offset, timestamp, key, value of each record, as a user reads them. */
  private List<String> read(Path data, String topic) throws Exception {
    Result read = rowlog("topic", "read", topic, "--from-beginning", "--data", data.toString());
    assertThat(read.exitCode()).as(read.output()).isZero();
    List<String> records = new ArrayList<>();
    for (String line : read.output().lines().toList()) {
      JsonNode record = JSON.readTree(line);
      records.add(record.get("offset").asLong() + " " + record.get("timestamp").asLong() + " "
          + record.get("key").asText() + " "
          + (record.get("value").isNull() ? "null" : record.get("value").asText()));
    }
    return records;
  }

  private List<String> dumpedByKafka(Path data, String topic) throws Exception {
    List<String> files;
    try (Stream<Path> segments = Files.list(data.resolve(topic + "-0"))) {
      files = segments.map(Path::toString).filter(name -> name.endsWith(".log")).sorted().toList();
    }
    Result dump = run("org.apache.kafka.tools.DumpLogSegments", "--deep-iteration", "--print-data-log", "--files",
        String.join(",", files));
    assertThat(dump.exitCode()).as(dump.output()).isZero();
    List<String> records = new ArrayList<>();
    for (String line : dump.output().lines().toList()) {
      Matcher record = DUMPED.matcher(line);
      if (record.matches()) {
        records.add(record.group(1) + " " + record.group(2) + " " + record.group(3) + " " + record.group(4));
      }
    }
    return records;
  }
}
