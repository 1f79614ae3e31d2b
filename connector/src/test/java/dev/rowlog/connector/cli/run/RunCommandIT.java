package dev.rowlog.connector.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.cli.CommandRun;
import dev.rowlog.connector.cli.command.ExitCode;
import dev.rowlog.connector.cli.command.StopSignal;
import dev.rowlog.connector.postgres.Eventually;
import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import dev.rowlog.connector.postgres.UtcJvm;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * From the administrator's script to a mirror that runs as the role it made; and what is said when something is not as
 * it must be.
 */
@ExtendWith(UtcJvm.class)
class RunCommandIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir
  Path data;

  private TestDatabase database;
  private String role;

  @BeforeEach
  void open() {
    database = PostgresFixture.shared().newDatabase();
    role = database.newRole("forgotten", "");
    database.execute("create table public.orders (id int primary key, v text)",
        "insert into public.orders values (1, 'a'), (2, 'b')",
        "create table public.no_key (v text)");
  }

  @AfterEach
  void close() {
    database.dropSlots();
    database.execute("drop publication if exists " + role, "drop owned by " + role);
    database.close();
  }

  @Test
  void shouldMirrorAsTheRoleThatTheScriptMadeUntilItIsToldToStop() throws Exception {
    // Given
    database.execute(initScript());
    ByteArrayOutputStream error = new ByteArrayOutputStream();
    StopSignal stop = new StopSignal();
    CompletableFuture<Integer> run = CompletableFuture
        .supplyAsync(() -> CommandRun.execute(Map.of(), new ByteArrayOutputStream(), error, stop, withSource("run")));
    Eventually.holds("ready", PATIENCE,
        () -> run.isDone() || CommandRun.of("status", "--ready", "--data", data.toString()).exitCode() == 0);
    assertThat(run).as(() -> error.toString(StandardCharsets.UTF_8)).isNotDone();
    // When
    database.execute("update public.orders set v = 'c' where id = 1", "delete from public.orders where id = 2");
    String lsn = database.queryText("select pg_current_wal_lsn()");
    CommandRun wait = CommandRun.of("status", "--wait-lsn", lsn, "--timeout", "60", "--data", data.toString());
    CommandRun status = CommandRun.of("status", "--data", data.toString());
    CommandRun clean = CommandRun.of("clean", "run", "--roll", "--json", "--data", data.toString());
    CommandRun wrong = CommandRun.of("clean", "run", "nothing", "--data", data.toString());
    CommandRun read = CommandRun.of("topic", "read", database.name() + ".public.orders", "--format", "%k %v\\n",
        "--data", data.toString());
    stop.give(15);
    // Then
    assertThat(run.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(143);
    assertThat(wait.exitCode()).as(wait.error()).isZero();
    assertThat(status.exitCode()).as(status.error()).isZero();
    assertThat(status.output()).startsWith("Mirroring 1 table of " + database.name()).contains("public.orders",
        "public.no_key is left out");
    assertThat(clean.exitCode()).as(clean.error()).isZero();
    assertThat(wrong.exitCode()).as(wrong.error()).isEqualTo(ExitCode.USAGE);
    assertThat(read.lines()).containsExactly("{\"id\":1} {\"id\":1,\"v\":\"c\"}", "{\"id\":2} null");
    assertThat(data.resolve("rowlog.api.json")).doesNotExist();
  }

  @Test
  void shouldSayWhatIsWrongWithTheSourceInOneLine() {
    // Given
    database.execute(initScript());
    String good = database.url(role, "p%40ss%2Fw%C3%B6rd");
    // When
    CommandRun unreachable = run("postgres://u@localhost:1/d", "public.*");
    CommandRun unknownHost = run("postgres://u@nowhere.invalid/d", "public.*");
    CommandRun password = run(database.url(role, "wrong"), "public.*");
    CommandRun noDatabase = run(good.replace(database.name(), "nowhere"), "public.*");
    CommandRun noTable = run(good, "public.order");
    CommandRun noKey = run(good, "public.no_key");
    CommandRun intoNew = CommandRun.of("run", "--source.url", "postgres://u@localhost:1/d", "--data.dir",
        data.resolve("fresh").toString(), "--http.listen", "off");
    // Then
    for (CommandRun each : List.of(unreachable, unknownHost, password, noDatabase, noTable, noKey, intoNew)) {
      assertThat(each.exitCode()).as(each.error()).isEqualTo(ExitCode.ENVIRONMENT);
      assertThat(each.error().lines().filter(line -> line.startsWith("rowlog: "))).hasSize(1);
      assertThat(each.error()).doesNotContain("\tat ").doesNotContain("p%40ss");
    }
    assertThat(unreachable.error()).contains("localhost:1");
    assertThat(unknownHost.error()).contains("no host is known by the name nowhere.invalid");
    assertThat(data.resolve("fresh")).doesNotExist();
    assertThat(password.error()).contains("password");
    assertThat(noDatabase.error()).contains("nowhere");
    assertThat(noTable.error()).contains("public.order");
    assertThat(noKey.error()).contains("public.no_key");
  }

  @Test
  void shouldEndWithOneSentenceWhenTheRightToReplicateIsLost() throws Exception {
    // Given
    database.execute(initScript());
    ByteArrayOutputStream error = new ByteArrayOutputStream();
    CompletableFuture<Integer> run = CompletableFuture.supplyAsync(() -> CommandRun.execute(Map.of(),
        new ByteArrayOutputStream(), error, new StopSignal(), withSource("run")));
    Eventually.holds("ready", PATIENCE,
        () -> run.isDone() || CommandRun.of("status", "--ready", "--data", data.toString()).exitCode() == 0);
    // When
    database.execute("alter role " + role + " noreplication",
        "select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = '" + role + "'");
    // Then
    assertThat(run.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ExitCode.ENVIRONMENT);
    assertThat(error.toString(StandardCharsets.UTF_8).lines().filter(line -> line.startsWith("rowlog: ")))
        .singleElement().asString().contains("may not replicate");
  }

  private String initScript() {
    List<String> arguments = new ArrayList<>(List.of(withSource("init")));
    arguments.addAll(List.of("--source.password", "p@ss/w\u00f6rd"));
    return CommandRun.of(arguments.toArray(String[]::new)).output();
  }

  private CommandRun run(String url, String tables) {
    return CommandRun.of("run", "--source.url", url, "--source.tables", tables, "--source.slot", role,
        "--source.publication", role, "--data.dir",
        data.toString(), "--http.listen", "127.0.0.1:0");
  }

  private String[] withSource(String command) {
    List<String> arguments = new ArrayList<>(
        List.of(command, "--source.url", database.url(role, "p%40ss%2Fw%C3%B6rd"), "--source.tables", "public.*",
            "--source.slot", role, "--source.publication", role));
    if (command.equals("run")) {
      arguments.addAll(List.of("--data.dir", data.toString(), "--http.listen", "127.0.0.1:0"));
    }
    return arguments.toArray(String[]::new);
  }
}
