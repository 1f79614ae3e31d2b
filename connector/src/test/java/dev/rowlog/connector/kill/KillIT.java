package dev.rowlog.connector.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code rowlog run} as a real process under a workload of bank transfers, killed with SIGKILL at random and started again.
 *
 * <p>{@code -Drounds=} says how often it is killed (10), {@code -Dseed=} repeats a run's delays.
 */
class KillIT {
  private static final int ROUNDS = Integer.getInteger("rounds", 10);

  @TempDir
  Path directory;

  private TestDatabase database;
  private final long seed = Long.getLong("seed", System.nanoTime());

  @BeforeEach
  void createBank() {
    database = PostgresFixture.shared().newDatabase();
    database.execute(BankWorkload.SCHEMA);
  }

  @AfterEach
  void dropBank() {
    database.close();
  }

  @Test
  void shouldHoldEachTransferOnceAndWholeWhenKilledAtRandom() throws Exception {
    // Given the cleaner paused, so that every transaction's path stays in the logs
    List<String> options = List.of("--log.cleaner.enable", "false", "--topic.segment.bytes", "65536");

    // When
    Set<Long> committed = runAndKill(options);

    // Then
    assertLogsEqualTables();
    assertEachTransactionOnceAndWhole(committed);
  }

  @Test
  void shouldEndEqualToTheTablesWhenKilledAtRandomWhileTheCleanerRuns() throws Exception {
    // Given segments so small, and a cleaner so eager, that kills hit passes
    List<String> options = List.of("--topic.segment.bytes", "16384", "--topic.min.cleanable.dirty.ratio", "0.01",
        "--topic.delete.retention.ms", "200", "--topic.file.delete.delay.ms", "0", "--log.cleaner.backoff.ms", "20");

    // When
    runAndKill(options);

    // Then
    assertLogsEqualTables();
  }

  /** Kills {@link #ROUNDS} times, then lets it catch up and end by SIGTERM; the ids of the transfers that the database committed. */
  private Set<Long> runAndKill(List<String> options) throws Exception {
    Random random = new Random(seed);
    try (BankWorkload workload = BankWorkload.start(database, seed)) {
      for (int round = 0; round < ROUNDS; round++) {
        try (MirrorProcess mirror = MirrorProcess.start(database, directory, options)) {
          // Every other kill comes in the start (recovery, checks, snapshot), the others in the stream.
          if (round % 2 == 0) {
            mirror.killAfter(random.nextInt(2_500));
          } else {
            mirror.awaitStreaming();
            mirror.killAfter(random.nextInt(1_000));
          }
        }
      }
      Set<Long> committed = workload.stop();
      try (MirrorProcess mirror = MirrorProcess.start(database, directory, options)) {
        mirror.awaitCommitted(database.queryText("select pg_current_wal_lsn()"));
        assertThat(mirror.terminate()).as("exit code after SIGTERM\n%s", mirror.output()).isIn(0, 143);
      }
      return committed;
    }
  }

  private void assertLogsEqualTables() {
    for (String table : BankWorkload.TABLES) {
      Map<String, String> expected = new TreeMap<>();
      for (String row : database.queryTexts("select to_json(t.*)::text from bank." + table + " t")) {
        expected.put(key(row), row);
      }
      Map<String, String> actual = new TreeMap<>();
      Logs.forEach(directory, topic(table), record -> {
        if (record.isTombstone()) {
          actual.remove(Logs.text(record.key()));
        } else {
          actual.put(Logs.text(record.key()), Logs.text(record.value()));
        }
      });
      assertThat(actual).as("bank.%s, seed %d", table, seed).isEqualTo(expected);
    }
  }

  private void assertEachTransactionOnceAndWhole(Set<Long> committed) {
    Map<Long, Map<String, Integer>> recordsByTransaction = new HashMap<>();
    Map<Long, BitSet> places = new HashMap<>();
    for (String table : BankWorkload.TABLES) {
      Logs.forEach(directory, topic(table), record -> {
        if (Logs.header(record, "__op").equals("r")) {
          return;
        }
        long transaction = Long.parseLong(Logs.header(record, "__txid"));
        int order = Integer.parseInt(Logs.header(record, "__order"));
        BitSet seen = places.computeIfAbsent(transaction, t -> new BitSet());
        int place = 2 * order + (record.isTombstone() ? 1 : 0);
        if (seen.get(place)) {
          fail("offset %d of bank.%s: transaction %d, order %d stands twice, seed %d", record.offset(), table,
              transaction,
              order, seed);
        }
        seen.set(place);
        recordsByTransaction.computeIfAbsent(transaction, t -> new HashMap<>()).merge(table, 1, Integer::sum);
      });
    }
    recordsByTransaction.forEach((transaction, counts) -> {
      assertThat(counts).as("transaction %d, seed %d", transaction, seed).isEqualTo(BankWorkload.recordsOf(counts));
      assertThat(committed).as("committed transactions, seed %d", seed).contains(transaction);
    });
    assertThat(recordsByTransaction).as("transactions in the stream").isNotEmpty();
  }

  private String topic(String table) {
    return database.name() + ".bank." + table;
  }

  private static String key(String row) {
    return row.substring(0, row.indexOf(',')) + "}";
  }
}
