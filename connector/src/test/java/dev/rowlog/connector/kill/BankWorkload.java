package dev.rowlog.connector.kill;

import dev.rowlog.connector.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** Two writers that move money between accounts until they are stopped. */
final class BankWorkload implements AutoCloseable {
  static final List<String> TABLES = List.of("accounts", "transfers", "audit");
  static final String[] SCHEMA = {
      "create schema bank",
      "create table bank.accounts (id int primary key, balance bigint not null, note text)",
      "create table bank.transfers (id bigint primary key, source int, target int, amount bigint)",
      "create table bank.audit (id text primary key, line text)",
      "insert into bank.accounts select i, 1000, 'opened' from generate_series(1, 2000) i",
      "insert into bank.audit select 'opening-' || i, repeat('x', 50) from generate_series(1, 5000) i"};

  private static final int WRITERS = 2;
  private static final int ACCOUNTS = 50;
  private static final int AUDIT_LINES = 300;
  private static final long PAUSE_NANOS = 5_000_000;

  private final TestDatabase database;
  private final Set<Long> committed = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
  private final List<Future<?>> writers = new ArrayList<>();
  private volatile boolean stopped;

  private BankWorkload(TestDatabase database) {
    this.database = database;
  }

  static BankWorkload start(TestDatabase database, long seed) {
    BankWorkload workload = new BankWorkload(database);
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      workload.writers.add(workload.threads.submit(() -> {
        workload.write(writer, new Random(seed + writer));
        return null;
      }));
    }
    return workload;
  }

  /** How many records a transaction leaves in each log, told by which tables it touched. */
  static Map<String, Integer> recordsOf(Map<String, Integer> touched) {
    if (touched.containsKey("transfers")) {
      return Map.of("accounts", 2, "transfers", 1);
    }
    // A long audit: many rows in one statement share a WAL position.
    return touched.containsKey("accounts") ? Map.of("accounts", 4) : Map.of("audit", AUDIT_LINES);
  }

  /** Ends the writers; the ids of all transactions that they committed. */
  Set<Long> stop() throws InterruptedException, ExecutionException {
    stopped = true;
    for (Future<?> writer : writers) {
      writer.get();
    }
    return committed;
  }

  private void write(int writer, Random random) throws SQLException {
    try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (long n = 0; !stopped; n++) {
        long transaction = transaction(statement);
        boolean keep = random.nextInt(10) != 0;
        switch (random.nextInt(48)) {
          case 0 -> audit(statement, writer, random);
          case 1, 2, 3, 4 -> renumber(statement, writer, random);
          default -> transfer(statement, random, n * WRITERS + writer);
        }
        if (keep) {
          connection.commit();
          committed.add(transaction);
        } else {
          connection.rollback();
        }
        // Slower than a loaded machine mirrors: else the last catching up takes longer than the kills.
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private static long transaction(Statement statement) throws SQLException {
    try (ResultSet result = statement.executeQuery("select pg_current_xact_id()::text")) {
      result.next();
      return result.getLong(1);
    }
  }

  private static void transfer(Statement statement, Random random, long id) throws SQLException {
    int source = 1 + random.nextInt(ACCOUNTS);
    int target = source % ACCOUNTS + 1;
    int amount = random.nextInt(100);
    // Lower id first, so that the writers do not deadlock.
    String both = source < target
        ? move(source, -amount) + move(target, amount)
        : move(target, amount) + move(source, -amount);
    statement
        .execute(both + "insert into bank.transfers values (" + id + "," + source + "," + target + "," + amount + ")");
  }

  private static String move(int account, int amount) {
    return "update bank.accounts set balance = balance + " + amount + " where id = " + account + ";";
  }

  /** A key change and back, of an account that the other writer leaves alone: a tombstone and a row, twice. */
  private static void renumber(Statement statement, int writer, Random random) throws SQLException {
    int account = 1_000 + writer * 100 + random.nextInt(100);
    int other = 10_000 + account;
    statement.execute("update bank.accounts set id = " + other + " where id = " + account);
    statement.execute("update bank.accounts set id = " + account + " where id = " + other);
  }

  private static void audit(Statement statement, int writer, Random random) throws SQLException {
    statement
        .execute("insert into bank.audit select '" + writer + "-" + random.nextLong() + "-' || i, 'line ' || i from"
            + " generate_series(1, " + AUDIT_LINES + ") i");
  }

  @Override
  public void close() {
    stopped = true;
    threads.shutdown();
  }
}
