package dev.rowlog.connector.cli.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlog.connector.cli.CommandRun;
import dev.rowlog.connector.cli.MirroredDirectory;
import dev.rowlog.connector.cli.command.StopSignal;
import dev.rowlog.connector.postgres.Eventually;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopicReadCommandTest {
  private static final String FORMAT = "%o %k %v\\n";
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir
  Path data;

  @Test
  void shouldPrintEveryCommittedRecordAsJson() {
    // Given
    try (MirroredDirectory mirror = MirroredDirectory.open(data)) {
      mirror.write("shop.t", "ann=1", "bob=2", "ann");
      // When, beside the process that holds the directory
      CommandRun run = read("shop.t");
      // Then
      assertThat(run.exitCode()).isZero();
      assertThat(run.lines()).containsExactly(
          "{\"topic\":\"shop.t\",\"offset\":0,\"timestamp\":" + MirroredDirectory.BASE_TIME
              + ",\"key\":\"ann\",\"value\":\"1\",\"headers\":{\"__op\":\"u\"}}",
          "{\"topic\":\"shop.t\",\"offset\":1,\"timestamp\":" + (MirroredDirectory.BASE_TIME + 1)
              + ",\"key\":\"bob\",\"value\":\"2\",\"headers\":{\"__op\":\"u\"}}",
          "{\"topic\":\"shop.t\",\"offset\":2,\"timestamp\":" + (MirroredDirectory.BASE_TIME + 2)
              + ",\"key\":\"ann\",\"value\":null,\"headers\":{\"__op\":\"d\"}}");
    }
  }

  @Test
  void shouldStartAtAnOffsetOrTheNextThatExists() {
    written("ann=1", "bob=2", "ann=3", "cal=4");
    assertThat(CommandRun.of("clean", "run", "--roll", "--data", data.toString()).exitCode()).isZero();
    assertThat(read("shop.t", "--offset", "2", "--format", FORMAT).lines()).containsExactly("2 ann 3", "3 cal 4");
    assertThat(read("shop.t", "--offset", "0", "--format", FORMAT).lines()).containsExactly("1 bob 2", "2 ann 3",
        "3 cal 4");
  }

  @Test
  void shouldPrintTheNewestRecordOfEachKeyInOrder() {
    written("ann=1", "bob=2", "ann=3", "cal=4", "bob");
    assertThat(read("shop.t", "--latest-per-key", "--format", FORMAT).lines()).containsExactly("2 ann 3", "3 cal 4",
        "4 bob null");
  }

  @Test
  void shouldStopAfterTheGivenNumber() {
    written("ann=1", "bob=2", "cal=3");
    assertThat(read("shop.t", "--max-messages", "2", "--format", FORMAT).lines()).containsExactly("0 ann 1", "1 bob 2");
    assertThat(read("shop.t", "--max-messages", "0").output()).isEmpty();
  }

  @Test
  void shouldSummarizeWithTheDocumentedDigest() throws Exception {
    // Given
    written("ann=1", "bob=2", "ann=", "bob");
    // When
    CommandRun run = read("shop.t", "--summary");
    // Then
    JsonNode json = new ObjectMapper().readTree(run.output());
    assertThat(json.path("topic").asText()).isEqualTo("shop.t");
    assertThat(json.path("records").asLong()).isEqualTo(4);
    assertThat(json.path("tombstones").asLong()).isEqualTo(1);
    assertThat(json.path("keys").asLong()).isEqualTo(2);
    assertThat(json.path("bytes").asLong()).isEqualTo(14);
    assertThat(json.path("first_offset").asLong()).isZero();
    assertThat(json.path("last_offset").asLong()).isEqualTo(3);
    assertThat(json.path("elapsed_ms").isIntegralNumber()).isTrue();
    assertThat(json.path("digest").asText()).isEqualTo(digest("ann=1", "bob=2", "ann=", "bob"));
  }

  @Test
  void shouldSummarizeNothing() throws Exception {
    written("ann=1");
    JsonNode json = new ObjectMapper().readTree(read("shop.t", "--summary", "--offset", "1").output());
    assertThat(json.path("records").asLong()).isZero();
    assertThat(json.path("first_offset").isNull()).isTrue();
    assertThat(json.path("last_offset").isNull()).isTrue();
  }

  @Test
  void shouldFollowNewCommitsThroughRollsAndCleaningUntilItIsStopped() throws Exception {
    // Given
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    StopSignal stop = new StopSignal();
    try (MirroredDirectory mirror = MirroredDirectory.open(data)) {
      mirror.write("shop.t", "ann=1", "ann=2");
      CompletableFuture<Integer> exitCode = CompletableFuture.supplyAsync(() -> CommandRun.execute(Map.of(), output,
          OutputStream.nullOutputStream(), stop,
          "topic", "read", "shop.t", "--from-beginning", "--follow", "--format", FORMAT, "--data", data.toString()));
      awaitOutput(output, "0 ann 1\n1 ann 2\n");
      // When
      for (int i = 3; i < 10; i++) {
        mirror.write("shop.t", "ann=" + i).roll("shop.t").clean("shop.t");
        awaitOutput(output, (i - 1) + " ann " + i + "\n");
      }
      stop.give(2);
      // Then
      assertThat(exitCode.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(130);
      assertThat(output.toString(StandardCharsets.UTF_8).lines()).hasSize(9).doesNotHaveDuplicates();
    }
  }

  @Test
  void shouldEndQuietlyWhenTheReaderOfItsOutputGoesAway() {
    written("ann=1");
    ByteArrayOutputStream error = new ByteArrayOutputStream();
    OutputStream closed = new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException("Broken pipe");
      }
    };
    int exitCode = CommandRun.execute(Map.of(), closed, error, new StopSignal(), "topic", "read", "shop.t", "--data",
        data.toString());
    assertThat(exitCode).isZero();
    assertThat(error.size()).isZero();
  }

  private void written(String... entries) {
    try (MirroredDirectory mirror = MirroredDirectory.open(data)) {
      mirror.write("shop.t", entries);
    }
  }

  private CommandRun read(String topic, String... more) {
    String[] arguments = new String[more.length + 5];
    arguments[0] = "topic";
    arguments[1] = "read";
    arguments[2] = topic;
    arguments[3] = "--data";
    arguments[4] = data.toString();
    System.arraycopy(more, 0, arguments, 5, more.length);
    return CommandRun.of(arguments);
  }

  private static void awaitOutput(ByteArrayOutputStream output, String end) {
    Eventually.holds("output ends with " + end, PATIENCE, () -> output.toString(StandardCharsets.UTF_8).endsWith(end));
  }

  /** By the words of the documentation, written apart from the command. */
  private static String digest(String... entries) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    for (int i = 0; i < entries.length; i++) {
      String[] parts = entries[i].split("=", -1);
      out.writeLong(i);
      out.writeLong(MirroredDirectory.BASE_TIME + i);
      out.writeInt(parts[0].length());
      out.writeBytes(parts[0]);
      out.writeInt(parts.length == 1 ? -1 : parts[1].length());
      out.writeBytes(parts.length == 1 ? "" : parts[1]);
    }
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray()));
  }
}
