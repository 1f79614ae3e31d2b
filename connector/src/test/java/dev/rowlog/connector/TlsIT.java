package dev.rowlog.connector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.cli.CommandRun;
import dev.rowlog.connector.cli.command.ExitCode;
import dev.rowlog.connector.postgres.Eventually;
import dev.rowlog.connector.postgres.TestCertificates;
import dev.rowlog.connector.postgres.UtcJvm;
import dev.rowlog.connector.serve.http.ApiFile;
import dev.rowlog.engine.disk.NioDisk;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A server that takes the mirror's role over TLS only, with a certificate for {@code localhost}; and what must not be said of the password. */
@ExtendWith(UtcJvm.class)
class TlsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String PASSWORD = "s3cr3t-never-said";

  @TempDir
  static Path folder;

  private static TestCertificates authority;
  private static TestCertificates stranger;
  private static EmbeddedPostgres server;

  @TempDir
  Path data;

  @BeforeAll
  static void start() throws Exception {
    authority = TestCertificates.create(folder.resolve("ca"));
    stranger = TestCertificates.create(folder.resolve("stranger"));
    server = EmbeddedPostgres.builder().setLocaleConfig("locale", "C").setServerConfig("wal_level", "logical")
        .setServerConfig("fsync", "off").setServerConfig("ssl", "on").setDataDirectoryCustomizer(TlsIT::prepare)
        .start();
    execute("create role mirror login replication superuser password '" + PASSWORD + "'",
        "create table public.t (id int primary key, v text)", "insert into public.t values (1, 'a'), (2, 'b')");
  }

  private static void prepare(File directory) {
    Path files = directory.toPath();
    try {
      authority.issue("server", "localhost", files);
      Path access = files.resolve("pg_hba.conf");
      Files.writeString(access,
          "hostssl all,replication mirror all scram-sha-256\nhost all,replication mirror all reject\n"
              + Files.readString(access));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Test
  void shouldMirrorOverVerifiedTlsOnEveryConnectionAndSayNoSecret() throws Exception {
    // Given
    Path config = data.resolve("rowlog.properties");
    Files.writeString(config, "source.url=" + url("localhost", PASSWORD, "verify-full", authority.authority())
        + "\nsource.tables=public.t\nsource.slot=tls\nsource.publication=tls\nlogging.level=debug\nhttp.listen=127.0.0.1:0\n"
        + "data.dir=" + data.resolve("logs") + "\n"
        + "target.cache.type=redis\ntarget.cache.url=redis://:" + PASSWORD + "@127.0.0.1:1\n"
        + "target.copy.type=postgres\ntarget.copy.schema=mirror\ntarget.copy.url="
        + url("localhost", PASSWORD, "verify-full", authority.authority()) + "\n"
        + "target.search.type=opensearch\ntarget.search.url=http://127.0.0.1:1\ntarget.search.user=u\n"
        + "target.search.password=" + PASSWORD + "\n");
    Path said = data.resolve("said");
    Process run = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
        "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), Main.class.getName(), "run",
        "--verbose",
        "--config", config.toString()).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    Runtime.getRuntime().addShutdownHook(new Thread(run::destroyForcibly));
    Eventually.holds("the copy over TLS has the rows", PATIENCE, () -> {
      assertThat(run.isAlive()).as(Files.readString(said)).isTrue();
      return "2".equals(query("select case when to_regclass('mirror.t') is not null then"
          + " (xpath('/row/c/text()', query_to_xml('select count(*) as c from mirror.t', false, true, '')))[1]::text end"));
    });

    Eventually.holds("ready", PATIENCE,
        () -> CommandRun.of("status", "--ready", "--data", data.resolve("logs").toString()).exitCode() == 0);

    // When
    String insecure = query("select count(*) from pg_stat_ssl join pg_stat_activity using (pid)"
        + " where usename = 'mirror' and not ssl");
    String walSenders = query("select count(*) from pg_stat_ssl join pg_stat_replication using (pid) where ssl");
    String address = ApiFile.read(new NioDisk(), data.resolve("logs")).orElseThrow().address();
    List<String> all = new ArrayList<>(List.of(get(address + "/metrics"), get(address + "/api/v1/status"),
        get(address + "/live"), get(address + "/api/v1/wait?lsn=" + PASSWORD.length())));
    for (String[] command : List.of(new String[]{"config", "show"}, new String[]{"config", "show", "--origin"},
        new String[]{"config", "check"}, new String[]{"config", "show", "--json"})) {
      List<String> arguments = new ArrayList<>(List.of(command));
      arguments.addAll(List.of("--config", config.toString()));
      CommandRun shown = CommandRun.of(arguments.toArray(String[]::new));
      assertThat(shown.exitCode()).as(shown.error()).isZero();
      all.add(shown.output() + shown.error());
    }
    CommandRun status = CommandRun.of("status", "--data", data.resolve("logs").toString());
    all.add(status.output() + status.error());
    run.destroy();
    assertThat(run.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(run.exitValue()).isEqualTo(143);
    all.add(Files.readString(said));

    // Then
    assertThat(insecure).isEqualTo("0");
    assertThat(walSenders).isEqualTo("1");
    assertThat(all).allSatisfy(text -> assertThat(text).isNotBlank().doesNotContain(PASSWORD));
    assertThat(Files.readString(said)).contains("target cache", "target search");
  }

  @Test
  void shouldSayInOneLineWhyTheServerIsNotTrusted() {
    // When
    CommandRun otherName = run(url("127.0.0.1", PASSWORD, "verify-full", authority.authority()));
    CommandRun otherAuthority = run(url("localhost", PASSWORD, "verify-full", stranger.authority()));
    CommandRun noFile = run(url("localhost", PASSWORD, "verify-full", folder.resolve("missing.crt")));
    CommandRun plain = run(url("localhost", PASSWORD, "disable", authority.authority()));
    CommandRun wrongPassword = run(url("localhost", PASSWORD + "!", "verify-full", authority.authority()));

    // Then
    for (CommandRun each : List.of(otherName, otherAuthority, noFile, plain, wrongPassword)) {
      assertThat(each.exitCode()).as(each.error()).isEqualTo(ExitCode.ENVIRONMENT);
      assertThat(each.error().lines().filter(line -> line.startsWith("rowlog: "))).as(each.error()).hasSize(1);
      assertThat(each.output() + each.error()).doesNotContain(PASSWORD, "\tat ");
    }
    assertThat(Logger.getLogger("org.postgresql").isLoggable(Level.SEVERE)).as("speaks past the log").isFalse();
    assertThat(otherName.error()).contains("certificate is not for 127.0.0.1");
    assertThat(otherAuthority.error()).contains("certificate is not signed by an authority of", "sslrootcert");
    assertThat(noFile.error()).contains("missing.crt", "sslrootcert");
    assertThat(plain.error()).contains("no encryption", "sslmode");
    assertThat(wrongPassword.error()).contains("password");
  }

  @Test
  void shouldSayThatTheServerHasNoTls() throws Exception {
    // Given
    try (EmbeddedPostgres without = EmbeddedPostgres.builder().setLocaleConfig("locale", "C").start()) {
      // When
      CommandRun refused = run("postgres://postgres@localhost:" + without.getPort() + "/postgres?sslmode=require");

      // Then
      assertThat(refused.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
      assertThat(refused.error()).contains("speaks no TLS", "sslmode=require");
    }
  }

  private CommandRun run(String url) {
    return CommandRun.of("run", "--source.url", url, "--source.tables", "public.t", "--data.dir",
        data.resolve("none").toString(), "--http.listen", "off");
  }

  private static String url(String host, String password, String mode, Path root) {
    return "postgres://mirror:" + password + "@" + host + ":" + server.getPort() + "/postgres?sslmode=" + mode
        + "&sslrootcert="
        + root;
  }

  private static String get(String address) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString()).body();
  }

  private static void execute(String... statements) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static String query(String sql) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return result.next() ? result.getString(1) : null;
    }
  }
}
