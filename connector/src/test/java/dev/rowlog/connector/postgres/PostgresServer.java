package dev.rowlog.connector.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A running cluster that tests may use as superuser.
 *
 * @param stop ends it; does nothing for a server that we did not start
 */
record PostgresServer(String host, int port, String user, String password, Runnable stop) {
  /** Members of this role need their password, on the embedded server too, which trusts everybody else. */
  static final String PASSWORD_REQUIRED = "rowlog_password_required";

  private static final List<String[]> SETTINGS = List.of(
      new String[]{"wal_level", "logical"},
      new String[]{"synchronous_commit", "on"},
      new String[]{"max_replication_slots", "20"},
      new String[]{"max_wal_senders", "20"},
      new String[]{"max_connections", "100"},
      // The tests check what the mirror makes of commits, not that PostgreSQL survives a power cut.
      new String[]{"fsync", "off"});

  /** Embedded, unless {@code -Dpostgres=testcontainers} or {@code -Dpostgres.url=postgres://user:password@host:port/db} says otherwise. */
  static PostgresServer start() {
    String url = System.getProperty("postgres.url", "");
    if (!url.isEmpty()) {
      return outside(url);
    }
    String kind = System.getProperty("postgres", "embedded");
    return switch (kind) {
      case "embedded" -> embedded();
      case "testcontainers" -> container();
      default -> throw new IllegalArgumentException("-Dpostgres=" + kind + ": expected embedded or testcontainers");
    };
  }

  String jdbcUrl(String database) {
    return "jdbc:postgresql://" + host + ":" + port + "/" + database;
  }

  Connection connect(String database) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    return DriverManager.getConnection(jdbcUrl(database), properties);
  }

  /** The major version of a server that fits; else the tests would fail one by one, for one reason. */
  int requireUsable() {
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(
            "select current_setting('wal_level'), current_setting('is_superuser')")) {
      result.next();
      if (!result.getString(1).equals("logical") || !result.getString(2).equals("on")) {
        throw new IllegalStateException(
            "the tests need a server with wal_level=logical and a superuser, but " + host + ":"
                + port + " has wal_level=" + result.getString(1) + ", and " + user + " has is_superuser="
                + result.getString(2));
      }
      return connection.getMetaData().getDatabaseMajorVersion();
    } catch (SQLException e) {
      throw new IllegalStateException("the tests' PostgreSQL at " + host + ":" + port + " does not answer to " + user
          + ": " + e.getMessage(), e);
    }
  }

  private static PostgresServer embedded() {
    EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
        .setLocaleConfig("locale", "C")
        .setDataDirectoryCustomizer(PostgresServer::requirePasswords);
    for (String[] setting : SETTINGS) {
      builder.setServerConfig(setting[0], setting[1]);
    }
    try {
      EmbeddedPostgres postgres = builder.start();
      return new PostgresServer("localhost", postgres.getPort(), "postgres", "postgres", () -> close(postgres));
    } catch (IOException e) {
      throw new UncheckedIOException("embedded PostgreSQL did not start", e);
    }
  }

  private static void requirePasswords(File dataDirectory) {
    Path file = dataDirectory.toPath().resolve("pg_hba.conf");
    try {
      Files.writeString(file, "host all +" + PASSWORD_REQUIRED + " all scram-sha-256\n"
          + "host replication +" + PASSWORD_REQUIRED + " all scram-sha-256\n" + Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void close(EmbeddedPostgres postgres) {
    try {
      postgres.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PostgresServer container() {
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      throw new IllegalStateException("-Dpostgres=testcontainers needs a Docker engine, and none answers at "
          + System.getenv().getOrDefault("DOCKER_HOST", "unix:///var/run/docker.sock")
          + ": start one, or leave the property out for the embedded PostgreSQL");
    }
    StringBuilder command = new StringBuilder("postgres");
    SETTINGS.forEach(setting -> command.append(" -c ").append(setting[0]).append('=').append(setting[1]));
    PostgreSQLContainer container = new PostgreSQLContainer(
        DockerImageName.parse(image()).asCompatibleSubstituteFor("postgres"));
    container.withUsername("postgres").withPassword("postgres").withDatabaseName("postgres");
    container.setCommand(command.toString());
    container.start();
    return new PostgresServer(container.getHost(), container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT),
        "postgres", "postgres", container::stop);
  }

  /** The variables are docker-compose.yml's. */
  private static String image() {
    Map<String, String> variables = System.getenv();
    return System.getProperty("postgres.image", variables.getOrDefault("POSTGRES_IMAGE", "postgres") + ":"
        + variables.getOrDefault("POSTGRES_TAG", "18"));
  }

  private static PostgresServer outside(String url) {
    URI uri = URI.create(url);
    String[] user = uri.getRawUserInfo() == null ? new String[]{"postgres"} : uri.getRawUserInfo().split(":", 2);
    return new PostgresServer(uri.getHost(), uri.getPort() < 0 ? 5432 : uri.getPort(), decoded(user[0]),
        user.length < 2 ? "" : decoded(user[1]), () -> {});
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
