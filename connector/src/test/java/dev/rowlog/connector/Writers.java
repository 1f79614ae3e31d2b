package dev.rowlog.connector;

import dev.rowlog.connector.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sessions that change {@code public.t (id bigint primary key, v text, n integer)} and {@code public.pair (id bigint
 * primary key, v text)} all the time: transactions of several rows, inserts, updates, key changes, deletes,
 * savepoints, rollbacks. Every transaction that writes pair writes one row of t with the same value.
 */
final class Writers implements AutoCloseable {
  private final ExecutorService threads;
  private final List<Future<Void>> running = new ArrayList<>();
  private final AtomicInteger transactions = new AtomicInteger();
  private volatile boolean stopping;

  private Writers(int count) {
    this.threads = Executors.newFixedThreadPool(count);
  }

  static final String TABLES = """
      create table public.t (id bigint primary key, v text, n integer);
      create table public.pair (id bigint primary key, v text)""";

  static Writers start(TestDatabase database, int count, long seed) {
    Writers writers = new Writers(count);
    for (int i = 0; i < count; i++) {
      int number = i;
      writers.running.add(writers.threads.submit(() -> writers.write(database, number, new Random(seed + number))));
    }
    return writers;
  }

  /** Transactions that were committed or rolled back so far. */
  int transactions() {
    return transactions.get();
  }

  private Void write(TestDatabase database, int number, Random random) throws SQLException {
    long next = 1_000_000L * (number + 1);
    List<Long> mine = new ArrayList<>();
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      while (!stopping) {
        List<Long> before = new ArrayList<>(mine);
        int rows = 1 + random.nextInt(8);
        for (int i = 0; i < rows; i++) {
          switch (mine.isEmpty() ? 0 : random.nextInt(6)) {
            case 1, 2 -> run(connection, "update public.t set v = ?, n = n + 1 where id = ?", "u" + random.nextInt(),
                pick(mine, random));
            case 3 -> {
              int place = random.nextInt(mine.size());
              run(connection, "update public.t set id = ? where id = ?", ++next, mine.get(place));
              mine.set(place, next);
            }
            case 4 -> run(connection, "delete from public.t where id = ?", mine.remove(random.nextInt(mine.size())));
            case 5 -> {
              Savepoint savepoint = connection.setSavepoint();
              run(connection, "insert into public.t values (?, 'undone', 0)", ++next);
              connection.rollback(savepoint);
            }
            default -> {
              run(connection, "insert into public.t values (?, ?, 0)", ++next, "i" + random.nextInt());
              mine.add(next);
            }
          }
        }
        String value = "p" + random.nextInt();
        run(connection, "insert into public.t values (?, ?, 0)", ++next, value);
        mine.add(next);
        run(connection, "insert into public.pair values (?, ?)", next, value);
        if (random.nextInt(6) == 0) {
          connection.rollback();
          mine.clear();
          mine.addAll(before);
        } else {
          connection.commit();
        }
        transactions.incrementAndGet();
      }
      connection.rollback();
    }
    return null;
  }

  private static Long pick(List<Long> ids, Random random) {
    return ids.get(random.nextInt(ids.size()));
  }

  private static void run(Connection connection, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.executeUpdate();
    }
  }

  /** Ends the sessions; fails where one of them did. */
  void stop() {
    stopping = true;
    try {
      for (Future<Void> writer : running) {
        writer.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError("a writer failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      threads.shutdown();
    }
  }

  @Override
  public void close() {
    stop();
  }
}
