package dev.rowlog.connector.postgres;

import dev.rowlog.connector.catalog.SourceAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A database of its own for a test. Any thread; each call uses a connection of its own. */
public final class TestDatabase implements AutoCloseable {
  private static final Duration SLOT_RELEASE = Duration.ofSeconds(30);

  private final PostgresFixture fixture;
  private final String name;
  private final List<String> roles = new ArrayList<>();
  private boolean closed;

  TestDatabase(PostgresFixture fixture, String name) {
    this.fixture = fixture;
    this.name = name;
  }

  public String name() {
    return name;
  }

  public String host() {
    return fixture.host();
  }

  public int port() {
    return fixture.port();
  }

  /** A superuser. */
  public String user() {
    return fixture.user();
  }

  public String password() {
    return fixture.password();
  }

  /** libpq URI of the superuser. */
  public String url() {
    return url(user(), password());
  }

  /** libpq URI of another role. */
  public String url(String user, String password) {
    return "postgres://" + user + ":" + password + "@" + host() + ":" + port() + "/" + name;
  }

  /** The superuser's. */
  public SourceAddress address() {
    return address(user(), password());
  }

  /** Another role's. */
  public SourceAddress address(String user, String password) {
    return new SourceAddress(host(), port(), name, user, password, Map.of());
  }

  public String jdbcUrl() {
    return fixture.jdbcUrl(name);
  }

  /** A superuser's connection with the server's own settings, nothing pinned; the caller closes it. */
  public Connection connect() throws SQLException {
    return fixture.connect(name);
  }

  /** Runs statements, each in a transaction of its own unless one of them says begin. */
  public void execute(String... statements) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new AssertionError(String.join("; ", statements), e);
    }
  }

  /** First column of the first row as text; null for NULL or no row. */
  public String queryText(String sql, Object... parameters) {
    List<String> rows = queryTexts(sql, parameters);
    return rows.isEmpty() ? null : rows.get(0);
  }

  /** First column of every row as text. */
  public List<String> queryTexts(String sql, Object... parameters) {
    try (Connection connection = connect();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      List<String> rows = new ArrayList<>();
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          rows.add(result.getString(1));
        }
      }
      return rows;
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /**
   * A role with a password that the server asks for, dropped with the database.
   *
   * @param attributes such as {@code replication}
   */
  public synchronized String newRole(String password, String attributes) {
    String role = String.format(Locale.ROOT, "%s_role_%d", name, roles.size() + 1);
    execute(
        "create role " + role + " login password '" + password + "' in role " + PostgresServer.PASSWORD_REQUIRED + " "
            + attributes);
    roles.add(role);
    return role;
  }

  /** Drops this database's slots, ending whoever reads from them. */
  public void dropSlots() {
    String mine = "from pg_replication_slots where database = '" + name + "'";
    execute("select pg_terminate_backend(active_pid) " + mine + " and active");
    Eventually.holds("slots of " + name + " are released", SLOT_RELEASE,
        () -> "0".equals(queryText("select count(*) " + mine + " and active")));
    execute("select pg_drop_replication_slot(slot_name) " + mine);
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    dropSlots();
    fixture.administrate("drop database " + name + " with (force)");
    roles.forEach(role -> fixture.administrate("drop role " + role));
    fixture.forget(this);
  }
}
