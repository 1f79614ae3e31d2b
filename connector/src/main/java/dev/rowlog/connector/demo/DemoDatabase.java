package dev.rowlog.connector.demo;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;

/** The demo's own PostgreSQL with the shop in it. One thread; {@link #close} from any. */
final class DemoDatabase implements AutoCloseable {
  static final String NAME = "shop";
  private static final String SUPERUSER = "postgres";
  private static final Duration STARTUP = Duration.ofSeconds(60);

  /** The demo shows what the mirror makes of commits; its database need not survive a power cut. */
  private static final Map<String, String> SETTINGS = Map.of("wal_level", "logical", "synchronous_commit", "on",
      "fsync", "off", "max_connections", "40", "max_wal_senders", "4",
      "shared_buffers", "32MB", "log_min_messages", "warning");

  private final EmbeddedPostgres server;
  private final Path dataDirectory;

  private DemoDatabase(EmbeddedPostgres server, Path dataDirectory) {
    this.server = server;
    this.dataDirectory = dataDirectory;
  }

  /**
   * @param binaries where the server's programs are unpacked, once
   */
  static DemoDatabase start(DemoFolder folder, Path binaries) {
    ProcessBuilder.Redirect log = ProcessBuilder.Redirect.appendTo(folder.path().resolve("postgres.log").toFile());
    EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
        .setDataDirectory(folder.postgresData())
        .setOverrideWorkingDirectory(binaries.toFile())
        .setRegisterShutdownHook(false)
        .setPGStartupWait(STARTUP)
        .setLocaleConfig("locale", "C")
        .setOutputRedirector(log)
        .setErrorRedirector(log);
    SETTINGS.forEach(builder::setServerConfig);
    try {
      DemoDatabase database = new DemoDatabase(builder.start(), folder.postgresData());
      database.execute("postgres", "create database " + NAME + " encoding 'UTF8' template template0");
      return database;
    } catch (IOException | IllegalStateException e) {
      throw new IllegalStateException("the embedded PostgreSQL did not start: " + e.getMessage() + lastWords(folder),
          e);
    }
  }

  int port() {
    return server.getPort();
  }

  String version() {
    try (Connection connection = connect(port());
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("show server_version")) {
      result.next();
      return result.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException("the embedded PostgreSQL answered: " + e.getMessage(), e);
    }
  }

  void createShop() {
    execute(NAME, shop());
  }

  void execute(String sql) {
    execute(NAME, sql);
  }

  /** The superuser in the shop; the caller closes it. */
  Connection connect() throws SQLException {
    return connect(port());
  }

  /** The superuser in the shop of the demo on this port. */
  static Connection connect(int port) throws SQLException {
    return connect(port, NAME);
  }

  private static Connection connect(int port, String database) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", SUPERUSER);
    return DriverManager.getConnection("jdbc:postgresql://localhost:" + port + "/" + database, properties);
  }

  private void execute(String database, String sql) {
    try (Connection connection = connect(port(), database); Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("the embedded PostgreSQL answered: " + e.getMessage(), e);
    }
  }

  private static String shop() {
    try (InputStream sql = DemoDatabase.class.getResourceAsStream("shop.sql")) {
      return new String(sql.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String lastWords(DemoFolder folder) {
    try {
      String log = Files.readString(folder.path().resolve("postgres.log"));
      return log.isBlank() ? "" : "; its log ends with: " + log.substring(Math.max(0, log.length() - 300)).strip();
    } catch (IOException e) {
      return "";
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      System.getLogger(DemoDatabase.class.getName()).log(System.Logger.Level.WARNING,
          "the embedded PostgreSQL did not stop in order", e);
    }
    DemoLeftovers.server(dataDirectory).ifPresent(DemoLeftovers::stop);
  }
}
