package dev.rowlog.connector.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One cluster a JVM, started on first use, and a fresh database for each test or test class. Three ways: embedded
 * (default), {@code -Dpostgres=testcontainers} (image by {@code -Dpostgres.image=}, or {@code POSTGRES_IMAGE} and
 * {@code POSTGRES_TAG}), {@code -Dpostgres.url=} an outside server with {@code wal_level=logical} on which we are
 * superuser. Any thread.
 */
public final class PostgresFixture {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private static PostgresFixture shared;

  private final PostgresServer server;
  private final int majorVersion;
  private final List<TestDatabase> databases = new ArrayList<>();

  private PostgresFixture(PostgresServer server, int majorVersion) {
    this.server = server;
    this.majorVersion = majorVersion;
  }

  /**
   * The cluster of this JVM.
   *
   * @throws IllegalStateException where it cannot be had, in one sentence, to each test that asks
   */
  public static synchronized PostgresFixture shared() {
    if (shared == null) {
      shared = open();
    }
    return shared;
  }

  /**
   * A new, empty database; closing it drops it with its slots and the roles that were made through it. What a test forgets to close goes when
   * the JVM ends.
   */
  public synchronized TestDatabase newDatabase() {
    String name = String.format(Locale.ROOT, "rowlog_%d_%d", ProcessHandle.current().pid(), NUMBER.incrementAndGet());
    administrate("create database " + name + " template template0 encoding 'UTF8'");
    TestDatabase database = new TestDatabase(this, name);
    databases.add(database);
    return database;
  }

  public String host() {
    return server.host();
  }

  public int port() {
    return server.port();
  }

  /** Such as 18. */
  public int majorVersion() {
    return majorVersion;
  }

  /** A superuser. */
  public String user() {
    return server.user();
  }

  public String password() {
    return server.password();
  }

  /** A connection of the superuser with nothing pinned but the host; the caller closes it. */
  Connection connect(String database) throws SQLException {
    return server.connect(database);
  }

  String jdbcUrl(String database) {
    return server.jdbcUrl(database);
  }

  /** Runs statements in the database {@code postgres}. */
  void administrate(String... statements) {
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new AssertionError(String.join("; ", statements), e);
    }
  }

  synchronized void forget(TestDatabase database) {
    databases.remove(database);
  }

  private synchronized void close() {
    // A slot left behind keeps write-ahead log for ever, on a server that may not be ours.
    List.copyOf(databases).forEach(TestDatabase::close);
    server.stop().run();
  }

  private static PostgresFixture open() {
    PostgresServer server = PostgresServer.start();
    PostgresFixture fixture = new PostgresFixture(server, server.requireUsable());
    fixture.administrate("do $$ begin create role " + PostgresServer.PASSWORD_REQUIRED
        + "; exception when duplicate_object then null; end $$");
    Runtime.getRuntime().addShutdownHook(new Thread(fixture::close, "postgres-fixture-close"));
    return fixture;
  }
}
