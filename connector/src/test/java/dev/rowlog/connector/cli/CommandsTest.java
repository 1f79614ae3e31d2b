package dev.rowlog.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.rowlog.connector.cli.command.ExitCode;
import dev.rowlog.connector.text.WordWrap;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exit codes and one clear line for each bad input; what the file commands print. */
class CommandsTest {
  @TempDir
  Path data;

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of("rowlog --help", List.of("mirror")),
        Arguments.of("Missing required subcommand", List.of("topic")),
        Arguments.of("there is no command 'rowlog runn': did you mean 'rowlog run'?", List.of("runn")),
        Arguments.of("there is no command 'rowlog topic raed': did you mean 'rowlog topic read'?",
            List.of("topic", "raed", "shop.t")),
        Arguments.of("there is no command 'rowlog clean everything'; there are run", List.of("clean", "everything")),
        Arguments.of("Missing required parameter: 'TOPIC'", List.of("topic", "read")),
        Arguments.of("unknown token '%x'", List.of("topic", "read", "t", "--format", "%x")),
        Arguments.of("say different things", List.of("topic", "read", "t", "--offset", "1", "--from-beginning")),
        Arguments.of("--max-messages -1", List.of("topic", "read", "t", "--max-messages", "-1")),
        Arguments.of("did you mean --source.tables?", List.of("run", "--source.table", "x")),
        Arguments.of("source.url is required", List.of("run")),
        Arguments.of("source.url=mysql://h: must begin with postgres://", List.of("run", "--source.url", "mysql://h")),
        Arguments.of("source.debezium.snapshot.mode is refused",
            List.of("run", "--source.url", "postgres://h/d", "--source.debezium.snapshot.mode=always")),
        Arguments.of("missing.properties cannot be read: no such file",
            List.of("run", "--config", "missing.properties")),
        Arguments.of("unexpected argument 'twice'", List.of("config", "check", "twice")),
        Arguments.of("segment.byte", List.of("clean", "run", "--set", "segment.byte=1")),
        Arguments.of("is not an empty folder", List.of("demo", "--data", ".")));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void shouldAnswerAMistakeOfUsageWithOneLineAndExitCodeTwo(String says, List<String> arguments) {
    written("shop.t", "ann=1");
    CommandRun run = CommandRun.with(Map.of("ROWLOG_DATA_DIR", data.toString()), arguments.toArray(String[]::new));
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.error()).contains(says).startsWith("rowlog: ").hasLineCount(1).doesNotContain("\tat ");
    assertThat(run.output()).isEmpty();
  }

  @Test
  void shouldShowTheStackOnlyWhenAskedTo() {
    assertThat(CommandRun.of("run", "--config", "missing.properties", "--verbose").error()).contains("\tat dev.rowlog");
  }

  @Test
  void shouldNameTheNearestTopic() {
    written("shop.orders", "ann=1");
    CommandRun run = CommandRun.of("topic", "read", "shop.order", "--data", data.toString());
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.error()).contains("no topic shop.order in " + data + ": did you mean shop.orders?");
  }

  @Test
  void shouldAnswerAMissingDataDirectoryWithItsName() {
    CommandRun run = CommandRun.of("topic", "list", "--data", data.resolve("missing").toString());
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.error()).contains(data.resolve("missing").toString()).hasLineCount(1);
  }

  @Test
  void shouldRefuseToCleanADirectoryThatAnotherProcessHolds() {
    try (MirroredDirectory mirror = MirroredDirectory.open(data)) {
      mirror.write("shop.t", "ann=1");
      CommandRun run = CommandRun.of("clean", "run", "--data", data.toString());
      assertThat(run.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
      assertThat(run.error()).contains(data.toString(), "in use").hasLineCount(1);
    }
  }

  @Test
  void shouldRefuseANewerFormatVersion() throws IOException {
    // Given
    written("shop.t", "ann=1");
    Path meta = data.resolve("meta.properties");
    Files.writeString(meta, Files.readString(meta).replaceAll("(?m)^(rowlog\\.[a-z.]*version)=.*$", "$1=999"));
    // When
    CommandRun read = CommandRun.of("topic", "read", "shop.t", "--data", data.toString());
    CommandRun clean = CommandRun.of("clean", "run", "--data", data.toString());
    // Then
    assertThat(List.of(read.exitCode(), clean.exitCode())).containsOnly(ExitCode.ENVIRONMENT);
    assertThat(read.error()).contains("999").hasLineCount(1);
  }

  @Test
  void shouldNameFileAndPositionOfACorruptedSegment() throws IOException {
    // Given
    written("shop.t", "ann=1", "bob=2");
    Path segment = data.resolve("shop.t-0").resolve("00000000000000000000.log");
    try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      channel.read(last, 70);
      channel.write(ByteBuffer.wrap(new byte[]{(byte) ~last.get(0)}), 70);
    }
    // When
    CommandRun run = CommandRun.of("topic", "read", "shop.t", "--data", data.toString());
    // Then
    assertThat(run.exitCode()).isEqualTo(ExitCode.RUNTIME);
    assertThat(run.error()).contains(segment.getFileName().toString(), "position").hasLineCount(1);
  }

  @Test
  void shouldSayThatNoProcessRuns() {
    written("shop.t", "ann=1");
    CommandRun run = CommandRun.of("status", "--data", data.toString());
    assertThat(run.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
    assertThat(run.error()).contains("no rowlog process serves " + data).hasLineCount(1);
  }

  @Test
  void shouldListTopicsWithoutTheInternalOnes() throws IOException {
    // Given
    written("shop.t", "ann=1", "bob=2");
    // When
    CommandRun text = CommandRun.of("topic", "list", "--data", data.toString());
    CommandRun json = CommandRun.of("topic", "list", "--data", data.toString(), "--json");
    CommandRun internal = CommandRun.of("topic", "list", "--data", data.toString(), "--internal");
    // Then
    assertThat(text.lines()).hasSize(2).last().asString().matches("shop\\.t +0 +0 +2 +1 +\\d+ B +compact");
    JsonNode log = new ObjectMapper().readTree(json.output()).get(0);
    assertThat(log.path("topic").asText()).isEqualTo("shop.t");
    assertThat(log.path("end_offset").asLong()).isEqualTo(2);
    assertThat(internal.output()).contains("__rowlog_commits");
  }

  @Test
  void shouldSayThatAFolderIsNoDataDirectory() throws IOException {
    Files.writeString(data.resolve("fstab"), "");
    for (List<String> command : List.of(List.of("topic", "list"), List.of("topic", "read", "t"),
        List.of("clean", "run"))) {
      List<String> arguments = new ArrayList<>(command);
      arguments.addAll(List.of("--data", data.toString()));
      CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
      assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
      assertThat(run.error()).startsWith("rowlog: " + data + " is no data directory").contains("--data")
          .hasLineCount(1);
    }
  }

  @Test
  void shouldCountLiveAndDeadRecordsOfSegments() throws IOException {
    // Given
    try (MirroredDirectory mirror = MirroredDirectory.open(data)) {
      mirror.write("shop.t", "ann=1", "bob=2").roll("shop.t").write("shop.t", "ann=3", "bob");
    }
    // When
    CommandRun segments = CommandRun.of("segment", "list", "shop.t", "--data", data.toString(), "--json");
    CommandRun topic = CommandRun.of("topic", "describe", "shop.t", "--data", data.toString(), "--json");
    // Then
    JsonNode list = new ObjectMapper().readTree(segments.output());
    assertThat(list).hasSize(2);
    assertThat(list.get(0).path("dead").asLong()).isEqualTo(2);
    assertThat(list.get(1).path("live").asLong()).isEqualTo(2);
    assertThat(list.get(1).path("tombstones").asLong()).isEqualTo(1);
    assertThat(list.get(1).path("state").asText()).isEqualTo("active");
    JsonNode described = new ObjectMapper().readTree(topic.output());
    assertThat(described.path("records").asLong()).isEqualTo(4);
    assertThat(described.path("config").path("cleanup.policy").asText()).isEqualTo("compact");
    assertThat(CommandRun.of("topic", "describe", "shop.t", "--data", data.toString()).output())
        .contains("2 live, 2 dead; 1 tombstone");
    assertThat(CommandRun.of("segment", "list", "shop.t", "--data", data.toString()).lines()).hasSize(5)
        .allMatch(line -> line.length() <= 80)
        .contains("    why not cleaned: It is the active segment: it takes appends until it rolls.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"topic list", "topic describe", "segment list", "clean run"})
  void shouldFitItsTablesIntoTheWidth_andLoseNothing(String command) {
    // Given
    String topic = "shop.public.a_table_whose_name_is_as_long_as_those_of_some_frameworks";
    try (MirroredDirectory mirror = MirroredDirectory.open(data)) {
      mirror.write(topic, "ann=1", "ann=2", "bob").roll(topic).write(topic, "ann=3");
    }
    List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
    if (!command.equals("topic list")) {
      arguments.add(topic);
    }
    arguments.addAll(List.of("--data", data.toString()));
    // When
    CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
    // Then
    assertThat(run.exitCode()).isZero();
    assertThat(run.lines()).allMatch(line -> line.length() <= 80);
    if (command.equals("clean run")) {
      assertThat(run.output()).contains("tombstones removed: 0", "kept: 1", "time:");
    }
  }

  @Test
  void shouldSayThatAStoppedProcessDoesNotAnswer() throws Exception {
    // Given
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      serving(silent.getLocalPort());
      // When
      List<CompletableFuture<CommandRun>> runs = Stream.of(
          List.of("status"), List.of("status", "--ready"), List.of("status", "--wait-lsn", "0/1", "--timeout", "3600"),
          List.of("clean", "run"))
          .map(arguments -> Stream.concat(arguments.stream(), Stream.of("--data", data.toString()))
              .toArray(String[]::new))
          .map(arguments -> CompletableFuture.supplyAsync(() -> CommandRun.of(arguments),
              task -> new Thread(task).start()))
          .toList();
      // Then
      for (CompletableFuture<CommandRun> run : runs) {
        assertThat(run.get(60, TimeUnit.SECONDS).exitCode()).isEqualTo(ExitCode.RUNTIME);
        assertThat(run.get().error()).contains("does not answer within 10 s").hasLineCount(1);
      }
    }
  }

  @Test
  void shouldWaitForAProcessThatIsStarting() throws Exception {
    // Given
    CompletableFuture<CommandRun> run = CompletableFuture.supplyAsync(
        () -> CommandRun.of("status", "--wait-lsn", "0/1", "--timeout", "30", "--data", data.toString()));
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/live", exchange -> answer(exchange, "live"));
    server.createContext("/api/v1/wait", exchange -> answer(exchange, "{\"committed_lsn\":\"0/2\"}"));
    server.start();
    try {
      // When
      serving(server.getAddress().getPort());
      // Then
      assertThat(run.get(60, TimeUnit.SECONDS).error()).isEmpty();
      assertThat(run.get().output()).isEqualTo("committed up to 0/2\n");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void shouldSayHowLongItWaitedForAProcessThatNeverCame() {
    CommandRun run = CommandRun.of("status", "--wait-lsn", "0/1", "--timeout", "1", "--data", data.toString());
    assertThat(run.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
    assertThat(run.error()).contains("no rowlog process serves").contains("(waited 1 s)");
  }

  private static void answer(HttpExchange exchange, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  /** As a process of ours leaves it: this one. */
  private void serving(int port) throws IOException {
    ProcessHandle self = ProcessHandle.current();
    long start = self.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    Path fresh = Files.writeString(data.resolve("fresh"), String.format(Locale.ROOT,
        "{\"address\":\"http://127.0.0.1:%d\",\"token\":\"t\",\"pid\":%d,\"pid_started_ms\":%d}", port, self.pid(),
        start));
    Files.move(fresh, data.resolve("rowlog.api.json"), StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void shouldCleanOfflineAndSayWhatRollWouldTakeIn() throws IOException {
    // Given
    try (MirroredDirectory mirror = MirroredDirectory.open(data)) {
      mirror.write("shop.t", "ann=1", "ann=2").roll("shop.t").write("shop.t", "ann=3");
    }
    // When
    CommandRun first = CommandRun.of("clean", "run", "shop.t", "--data", data.toString());
    CommandRun second = CommandRun.of("clean", "run", "shop.t", "--roll", "--json", "--data", data.toString());
    // Then
    assertThat(first.exitCode()).isZero();
    assertThat(first.lines()).last().asString()
        .isEqualTo("→ 1 record in active segments was left out: --roll takes them in");
    JsonNode json = new ObjectMapper().readTree(second.output());
    assertThat(json.fieldNames()).toIterable().contains("topic", "records_in", "records_out", "bytes_read",
        "bytes_written", "tombstones_kept",
        "tombstones_removed", "map_use", "wall_ms", "cpu_ms");
    assertThat(json.path("records_out").asLong()).isEqualTo(1);
    assertThat(CommandRun.of("topic", "read", "shop.t", "--format", "%o %k %v\\n", "--data", data.toString()).lines())
        .containsExactly("2 ann 3");
  }

  @Test
  void shouldCleanTheOtherLogsWhereOneCannotBeRead() throws IOException {
    // Given
    try (MirroredDirectory mirror = MirroredDirectory.open(data)) {
      for (String topic : List.of("shop.a", "shop.b", "shop.c")) {
        mirror.write(topic, "ann=1", "ann=2").roll(topic).write(topic, "ann=3");
      }
    }
    damage("shop.b");
    // When
    CommandRun json = CommandRun.of("clean", "run", "--json", "--data", data.toString());
    CommandRun text = CommandRun.of("clean", "run", "shop.b", "shop.c", "--data", data.toString());
    // Then
    List<JsonNode> logs = new ArrayList<>();
    for (String line : json.lines()) {
      logs.add(new ObjectMapper().readTree(line));
    }
    assertThat(json.exitCode()).isEqualTo(ExitCode.RUNTIME);
    assertThat(logs).extracting(log -> log.path("topic").asText() + " " + log.path("records_out").asText("-"))
        .containsExactly("shop.a 1", "shop.b -", "shop.c 1");
    assertThat(logs.get(1).path("error").asText()).contains("shop.b-0");
    assertThat(json.error().lines()).singleElement().asString().startsWith("rowlog: shop.b was not cleaned: ");
    assertThat(text.exitCode()).isEqualTo(ExitCode.RUNTIME);
    assertThat(text.lines()).anyMatch(line -> line.matches("shop\\.b +not cleaned.*"))
        .anyMatch(line -> line.startsWith("shop.c "));
  }

  @Test
  void shouldCleanTheOtherLogsOfAFolderThatSaysNothingOfItsPolicies() throws IOException {
    // Given
    try (MirroredDirectory mirror = MirroredDirectory.open(data)) {
      for (String topic : List.of("a", "b")) {
        mirror.write(topic, "ann=1", "ann=2").roll(topic).write(topic, "ann=3");
      }
    }
    damage("a");
    Path kafka = Files.createDirectory(data.resolve("kafka"));
    for (String log : List.of("a-0", "b-0")) {
      Files.createDirectory(kafka.resolve(log));
      try (Stream<Path> files = Files.list(data.resolve(log))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".log")).toList()) {
          Files.copy(file, kafka.resolve(log).resolve(file.getFileName()));
        }
      }
    }
    Map<String, String> damaged = contents(kafka.resolve("a-0"));
    // When
    CommandRun named = CommandRun.of("clean", "run", "b", "--json", "--data", kafka.toString());
    CommandRun run = CommandRun.of("clean", "run", "--json", "--data", kafka.toString());
    // Then: what could not be read, or was not named, is as it was
    assertThat(contents(kafka.resolve("a-0"))).isEqualTo(damaged);
    assertThat(named.exitCode()).isZero();
    assertThat(run.exitCode()).isEqualTo(ExitCode.RUNTIME);
    assertThat(run.lines()).hasSize(2).anyMatch(line -> line.contains("\"a\"") && line.contains("\"error\""))
        .anyMatch(line -> line.contains("\"b\"") && line.contains("\"records_out\":1"));
  }

  @Test
  void shouldListTheOtherLogsWhereOneCannotBeRead() throws IOException {
    // Given
    written("shop.a", "ann=1");
    written("shop.b", "ann=1");
    damage("shop.b");
    // When
    CommandRun list = CommandRun.of("topic", "list", "--data", data.toString());
    // Then
    assertThat(list.lines()).anyMatch(line -> line.startsWith("shop.a ")).anyMatch(line -> line.startsWith("shop.b "));
  }

  @Test
  void shouldLeaveRowlogsOwnLogsToTheBackgroundCleanerUnlessNamed() {
    // Given
    written("shop.t", "ann=1");
    // When
    CommandRun all = CommandRun.of("clean", "run", "--json", "--data", data.toString());
    CommandRun own = CommandRun.of("clean", "run", "__rowlog_commits", "--json", "--data", data.toString());
    // Then
    assertThat(all.output()).contains("shop.t").doesNotContain("__rowlog_");
    assertThat(own.output()).contains("\"topic\":\"__rowlog_commits\"");
  }

  @Test
  void shouldSayThatADeleteHorizonThatIsSetStands() {
    // Given
    written("shop.t", "ann=1", "ann", "bob=1");
    CommandRun.of("clean", "run", "--roll", "--data", data.toString());
    // When
    CommandRun second = CommandRun.of("clean", "run", "--set", "delete.retention.ms=0", "--data", data.toString());
    // Then
    assertThat(second.output()).contains("→ 1 tombstone stayed: a delete horizon that an earlier pass has set stands");
  }

  @Test
  void shouldCleanWithAKeySetForThisPassOnly() throws IOException {
    // Given
    written("shop.t", "ann=1", "ann");
    // When
    CommandRun.of("clean", "run", "--roll", "--data", data.toString());
    CommandRun second = CommandRun.of("clean", "run", "--set", "delete.retention.ms=0", "--set",
        "log.cleaner.io.buffer.size=16384", "--json",
        "--data", data.toString());
    // Then
    assertThat(second.exitCode()).isZero();
    JsonNode config = new ObjectMapper()
        .readTree(CommandRun.of("topic", "describe", "shop.t", "--json", "--data", data.toString()).output());
    assertThat(config.path("config").path("delete.retention.ms").asText()).isEqualTo("86400000");
  }

  @Test
  void shouldMaskSecretsAndNameOriginsInConfigShow() {
    CommandRun run = CommandRun.with(Map.of("ROWLOG_SOURCE_PASSWORD", "hush"), "config", "show", "--origin",
        "--source.url", "postgres://u:hush@h/d",
        "--topic.segment.bytes", "100000");
    assertThat(run.exitCode()).isZero();
    assertThat(run.output()).doesNotContain("hush")
        .contains("source.url=postgres://u:********@h/d    # flag --source.url")
        .contains("source.password=********    # environment ROWLOG_SOURCE_PASSWORD")
        .contains("topic.segment.bytes=100000    # flag --topic.segment.bytes")
        .contains("data.dir=./rowlog-data    # default");
  }

  @Test
  void shouldCheckAConfiguration() {
    CommandRun good = CommandRun.of("config", "check", "--source.url", "postgres://u:hush@h/d");
    CommandRun bad = CommandRun.of("config", "check", "--http.listen", "x", "--logging.level", "y");
    assertThat(good.exitCode()).isZero();
    assertThat(good.output()).startsWith("configuration is valid: public.* of postgres://u@h:5432/d");
    assertThat(bad.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(bad.error().lines()).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "show"})
  void shouldNameEveryProblemOfAConfigurationAtOnce(String verb) throws IOException {
    // Given
    Path file = Files.writeString(data.resolve("bad.properties"), """
        topic.segment.byte=1
        topic.segment.bytes=many
        topic.segment.ms=-7
        log.cleaner.backoff.ms=soon
        logging.level=loud
        logging.format=xml
        source.slot=Capitals
        source.tables=orders
        source.debezium.snapshot.mode=never
        source.debezium.slot.name=x
        """);
    // When
    CommandRun run = CommandRun.of("config", verb, "--config", file.toString(), "--http.listne", "x", "--source.url",
        "postgres://u@h/d");
    // Then
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.error().lines()).hasSize(11)
        .anyMatch(line -> line.contains("--http.listne: did you mean --http.listen?"))
        .anyMatch(line -> line.contains("unknown key topic.segment.byte"))
        .anyMatch(line -> line.contains("topic.segment.bytes=many"))
        .anyMatch(line -> line.contains("topic.segment.ms=-7"))
        .anyMatch(line -> line.contains("log.cleaner.backoff.ms=soon"))
        .anyMatch(line -> line.contains("logging.level=loud")).anyMatch(line -> line.contains("logging.format=xml"))
        .anyMatch(line -> line.contains("source.slot=Capitals")).anyMatch(line -> line.contains("source.tables=orders"))
        .anyMatch(line -> line.contains("source.debezium.snapshot.mode is refused"))
        .anyMatch(line -> line.contains("source.debezium.slot.name is refused"));
  }

  @Test
  void shouldShowAConfigurationThatNamesNoDatabaseYet() {
    assertThat(CommandRun.of("config", "show").exitCode()).isZero();
  }

  @Test
  void shouldGiveTheNewRoleNoPasswordButItsOwn() {
    // Given
    Map<String, String> administrator = Map.of("PGPASSWORD", "hush");
    Map<String, String> own = Map.of("PGPASSWORD", "hush", "ROWLOG_SOURCE_PASSWORD", "secret");
    // When
    CommandRun without = CommandRun.with(administrator, "init", "--source.url", "postgres://rowlog:hush@h/d");
    CommandRun with = CommandRun.with(own, "init", "--source.url", "postgres://rowlog@h/d");
    // Then
    assertThat(without.output()).doesNotContain("SCRAM").doesNotContain("hush").contains("\\password \"rowlog\"");
    assertThat(with.output()).contains("password 'SCRAM-SHA-256$").doesNotContain("\\password")
        .doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "demo sql", "run", "status", "topic list", "topic describe", "topic read",
      "segment list", "clean run", "init",
      "config show", "config check"})
  void shouldExplainEachCommandWithAnExample(String command) {
    CommandRun run = CommandRun.of((command + " --help").split(" "));
    assertThat(run.exitCode()).isZero();
    assertThat(run.output()).startsWith("Usage: rowlog " + command).contains("Example").contains("  rowlog " + command);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "demo", "demo sql", "run", "status", "topic", "topic list", "topic describe",
      "topic read",
      "segment", "segment list", "clean", "clean run", "init", "config", "config show", "config check"})
  void shouldFitAScreenWithNamesAndExamplesWhole(String command) {
    // When
    CommandRun run = CommandRun.of((command + " --help").strip().split(" "));
    // Then
    assertThat(run.lines()).hasSizeLessThanOrEqualTo(40).allMatch(line -> line.length() <= 80);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "demo", "run", "status", "topic read", "clean run", "init"})
  void shouldNameCommandsAsTheyWereCalled(String command) {
    // When
    CommandRun run = CommandRun.called("./rowlog", (command + " --help").strip().split(" "));
    // Then
    assertThat(run.output()).startsWith("Usage: ./rowlog " + command).doesNotContain("  rowlog ", "'rowlog ");
    assertThat(run.lines()).allMatch(line -> line.length() <= 80);
    assertThat(CommandRun.called("./rowlog", "status", "--data", data.toString()).error())
        .contains("start one with './rowlog run'");
  }

  @Test
  void shouldBreakHelpAtBlanksOnly() {
    assertThat(WordWrap.wrap("a --b.c.d/e-f g", 9, "\n")).isEqualTo("a\n--b.c.d/e-f\ng");
    assertThat(CommandRun.of("run", "--help").output()).contains("  --source.password VALUE ",
        "  --http.listen VALUE ");
  }

  @Test
  void shouldAnswerNoCommandWithAShortUsage() {
    // When
    CommandRun run = CommandRun.of();
    // Then
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.error()).startsWith("rowlog: a command is missing").contains("rowlog demo", "rowlog run",
        "rowlog init",
        "rowlog --help");
    assertThat(run.error().lines()).hasSizeLessThanOrEqualTo(10);
  }

  @Test
  void shouldListEveryCommandInItsHelp() {
    assertThat(CommandRun.of("--help").output()).contains("demo", "run", "status", "topic", "segment", "clean", "init",
        "config", "Exit codes");
    assertThat(CommandRun.of("--version").output()).startsWith("rowlog ");
  }

  /** Turns a bit in the first batch, which the last commit covers. */
  private void damage(String topic) throws IOException {
    Path log = data.resolve(topic + "-0").resolve("00000000000000000000.log");
    byte[] bytes = Files.readAllBytes(log);
    bytes[30] ^= 1;
    Files.write(log, bytes);
  }

  /** Of each file, its bytes in Base64. */
  private static Map<String, String> contents(Path folder) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        contents.put(file.getFileName().toString(), Base64.getEncoder().encodeToString(Files.readAllBytes(file)));
      }
    }
    return contents;
  }

  private void written(String topic, String... entries) {
    try (MirroredDirectory mirror = MirroredDirectory.open(data)) {
      mirror.write(topic, entries);
    }
  }
}
