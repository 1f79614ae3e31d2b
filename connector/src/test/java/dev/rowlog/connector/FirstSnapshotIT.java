package dev.rowlog.connector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.mirror.MirrorListener;
import dev.rowlog.connector.postgres.Eventually;
import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import dev.rowlog.connector.postgres.UtcJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(UtcJvm.class)
class FirstSnapshotIT {

  @TempDir
  Path data;

  @TempDir
  Path killed;

  private TestDatabase database;

  /**
   * Takes the data directory as a kill would leave it, once, when half of a table is read; then holds the snapshot up
   * until it is stopped.
   */
  private final class KilledHalfWay implements MirrorListener {
    private final CountDownLatch taken = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public void snapshotProgress(TableId table, long rows, long total) {
      if (taken.getCount() == 0) {
        return;
      }
      try {
        copyDirectory(data, killed);
        taken.countDown();
        goOn.await();
      } catch (IOException | InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @BeforeEach
  void createDatabase() {
    database = PostgresFixture.shared().newDatabase();
  }

  @AfterEach
  void dropDatabase() {
    database.close();
  }

  @Test
  void shouldStartAgainWhenItWasKilledHalfWay() throws Exception {
    // Given
    database.execute(Writers.TABLES,
        "insert into public.t select i, repeat('x', 200), i from generate_series(1, 60000) i");
    KilledHalfWay listener = new KilledHalfWay();
    try (RunningMirror mirror = RunningMirror.start(RunningMirror.options(database, data, "public.*"), listener)) {
      assertThat(listener.taken.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(mirror.app().engine().committed().ends().get(
          dev.rowlog.engine.log.TopicPartition.of("t.public.t"))).isNull();
      Thread stop = new Thread(mirror.app()::stop);
      stop.start();
      listener.goOn.countDown();
      stop.join();
    }
    database.execute("delete from public.t where id % 3 = 0", "update public.t set v = 'after' where id = 1");

    // When
    try (RunningMirror mirror = RunningMirror.start(database, killed, "public.*")) {
      database.execute("insert into public.t values (1000000, 'new', 1)");
      mirror.catchUp();

      // Then
      ReplayedLog.read(mirror.app().engine(), "t.public.t").assertEquals(database, "public.t");
      assertThat(database.queryText("select count(*) from pg_replication_slots where database = current_database()"))
          .isEqualTo("1");
    }
  }

  @Test
  void shouldSayWhomTheSlotWaitsForAndGoOnWhenThatOneEnds() throws Exception {
    // Given
    database.execute(Writers.TABLES);
    List<String> waits = new java.util.concurrent.CopyOnWriteArrayList<>();
    MirrorListener listener = new MirrorListener() {
      @Override
      public void slotWaiting(String slot, String reason) {
        waits.add(reason);
      }
    };
    try (Connection writer = database.connect();
        Statement statement = writer.createStatement()) {
      writer.setAutoCommit(false);
      statement.execute("insert into public.t values (1, 'open', 1)");

      // When
      try (RunningMirror mirror = RunningMirror.start(RunningMirror.options(database, data, "public.*"), listener)) {
        Eventually.holds("the slot waits", RunningMirror.LONG, () -> !waits.isEmpty());
        String pid = database.queryText(
            "select pid from pg_stat_activity where backend_xid is not null and datname = current_database()");
        writer.commit();
        mirror.awaitStreaming();
        mirror.catchUp();

        // Then
        assertThat(waits.get(0)).contains("process " + pid);
        ReplayedLog.read(mirror.app().engine(), "t.public.t").assertEquals(database, "public.t");
      }
    }
  }

  @Test
  void shouldKeepTruncateAndDdlOutBetweenTheSlotAndItsReaders() throws Exception {
    // Given
    database.execute(Writers.TABLES, "insert into public.t select i, 'v', i from generate_series(1, 1000) i");
    CountDownLatch blocked = new CountDownLatch(1);
    MirrorListener listener = new MirrorListener() {
      @Override
      public void slotCreated(String slot, Lsn consistentPoint) {
        Thread ddl = new Thread(() -> database.execute("truncate public.t"), "truncate");
        ddl.start();
        Eventually.holds("TRUNCATE waits for the readers", RunningMirror.LONG, () -> "1".equals(database.queryText(
            "select count(*) from pg_locks where not granted and mode = 'AccessExclusiveLock'"
                + " and relation = 'public.t'::regclass")));
        blocked.countDown();
      }
    };

    // When
    try (RunningMirror mirror = RunningMirror.start(RunningMirror.options(database, data, "public.*"), listener)
        .awaitStreaming()) {
      Eventually.holds("TRUNCATE ran", RunningMirror.LONG,
          () -> "0".equals(database.queryText("select count(*) from public.t")));
      mirror.catchUp();

      // Then
      assertThat(blocked.getCount()).isZero();
      ReplayedLog log = ReplayedLog.read(mirror.app().engine(), "t.public.t");
      log.assertEquals(database, "public.t");
      assertThat(log.records()).hasSize(2000);
    }
  }

  private static void copyDirectory(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else if (!file.getFileName().toString().endsWith(".lock")) {
          Files.copy(file, target);
        }
      }
    }
  }
}
