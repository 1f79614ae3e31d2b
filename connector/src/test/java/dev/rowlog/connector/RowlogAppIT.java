package dev.rowlog.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.mirror.CleanRequest;
import dev.rowlog.connector.mirror.CleanedLog;
import dev.rowlog.connector.mirror.CleaningResult;
import dev.rowlog.connector.mirror.MirrorListener;
import dev.rowlog.connector.mirror.MirrorState;
import dev.rowlog.connector.mirror.MirrorStatus;
import dev.rowlog.connector.mirror.SourceRefusedException;
import dev.rowlog.connector.mirror.TableState;
import dev.rowlog.connector.options.RowlogOptions;
import dev.rowlog.connector.postgres.Eventually;
import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import dev.rowlog.connector.postgres.UtcJvm;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.error.InvalidConfigException;
import dev.rowlog.engine.error.UnknownTopicException;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.replay.DirectoryReader;
import dev.rowlog.engine.replay.LogCursor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(UtcJvm.class)
class RowlogAppIT {

  @TempDir
  Path data;

  private TestDatabase database;

  @BeforeEach
  void createDatabase() {
    database = PostgresFixture.shared().newDatabase();
  }

  @AfterEach
  void dropDatabase() {
    database.close();
  }

  @Test
  void shouldReplayToTheTablesWhenWritersGoOnDuringTheFirstSnapshot() throws Exception {
    // Given
    database.execute(Writers.TABLES,
        "insert into public.t select i, repeat('x', 60) || i, i from generate_series(1, 40000) i");

    // When
    try (Writers writers = Writers.start(database, 3, 17);
        RunningMirror mirror = RunningMirror.start(database, data, "public.*")) {
      int atStart = writers.transactions();
      Eventually.holds("writers go on while the stream flows", RunningMirror.LONG,
          () -> writers.transactions() > atStart + 500);
      writers.stop();
      mirror.catchUp();

      // Then
      ReplayedLog t = ReplayedLog.read(mirror.app().engine(), "t.public.t");
      ReplayedLog pair = ReplayedLog.read(mirror.app().engine(), "t.public.pair");
      t.assertEquals(database, "public.t");
      pair.assertEquals(database, "public.pair");
      assertThat(t.records()).anySatisfy(record -> assertThat(ReplayedLog.header(record, "__op")).isEqualTo("r"));
    }
  }

  @Test
  void shouldGoOnWhereItStoppedAndReadNothingTwice() throws Exception {
    // Given
    database.execute(Writers.TABLES, "insert into public.t select i, 'v', i from generate_series(1, 100) i");
    try (RunningMirror mirror = RunningMirror.start(database, data, "public.*")) {
      database.execute("update public.t set v = 'w' where id = 1");
      mirror.catchUp();
    }
    database.execute("begin; delete from public.t where id = 2; insert into public.pair values (2, 'x'); commit");

    // When
    try (RunningMirror mirror = RunningMirror.start(database, data, "public.*")) {
      mirror.catchUp();

      // Then
      ReplayedLog t = ReplayedLog.read(mirror.app().engine(), "t.public.t");
      t.assertEquals(database, "public.t");
      assertThat(t.records()).hasSize(102);
      ReplayedLog.read(mirror.app().engine(), "t.public.pair").assertEquals(database, "public.pair");
    }
  }

  @Test
  void shouldNeverShowHalfOfATransactionToAReaderBesideIt() throws Exception {
    // Given
    database.execute(Writers.TABLES);
    // No cleaning: it would take old rows of one table that the other still names.
    try (RunningMirror mirror = RunningMirror.start(uncleaned(), MirrorListener.NONE).awaitStreaming();
        Writers writers = Writers.start(database, 2, 5)) {
      int looks = 0;
      int rows = 0;
      while (looks < 40 || rows < 1000) {
        // When
        try (DirectoryReader reader = DirectoryReader.open(new NioDisk(), data)) {
          TreeSet<String> values = new TreeSet<>();
          try (LogCursor t = reader.cursor(TopicPartition.of("t.public.t"), 0)) {
            while (t.next()) {
              values.add(String.valueOf(ReplayedLog.text(t.record().value())).replaceAll(",\"n\":.*", ""));
            }
          }

          // Then
          try (LogCursor pair = reader.cursor(TopicPartition.of("t.public.pair"), 0)) {
            rows = 0;
            while (pair.next()) {
              rows++;
              String row = ReplayedLog.text(pair.record().value());
              // Not assertThat(values).contains, which walks all of them while the writers add more.
              if (!values.contains(row.substring(0, row.length() - 1))) {
                fail("%s without its row in t", row);
              }
            }
          }
        }
        looks++;
      }
      writers.stop();
      assertThat(mirror.app().status().restarts()).isZero();
    }
  }

  @Test
  void shouldDeleteEveryKeyOnTruncate() throws Exception {
    // Given
    database.execute(Writers.TABLES, "insert into public.t select i, 'v', i from generate_series(1, 1000) i");
    try (RunningMirror mirror = RunningMirror.start(database, data, "public.*")) {
      // When
      database.execute("begin; insert into public.t values (2000, 'x', 1); insert into public.pair values (1, 'p');"
          + " truncate public.t, public.pair; insert into public.t values (3, 'again', 1); commit");
      mirror.catchUp();

      // Then
      ReplayedLog t = ReplayedLog.read(mirror.app().engine(), "t.public.t");
      t.assertEquals(database, "public.t");
      assertThat(t.rows()).hasSize(1);
      ReplayedLog.read(mirror.app().engine(), "t.public.pair").assertEquals(database, "public.pair");
      assertThat(mirror.app().status().restarts()).isZero();
    }
  }

  @Test
  void shouldWaitForAnLsnOnAnIdleDatabase() throws Exception {
    // Given
    database.execute(Writers.TABLES);
    try (RunningMirror mirror = RunningMirror.start(database, data, "public.*")) {
      Lsn lsn = mirror.app().currentLsn();

      // When
      boolean committed = mirror.app().awaitCommitted(lsn, RunningMirror.LONG);
      boolean future = mirror.app().awaitCommitted(new Lsn(Long.MAX_VALUE), Duration.ofMillis(300));

      // Then
      assertThat(committed).isTrue();
      assertThat(mirror.app().status().committedLsn()).isGreaterThanOrEqualTo(lsn);
      assertThat(future).isFalse();
    }
  }

  @Test
  void shouldBecomeReadyWithAHeartbeatThatCameRound() throws Exception {
    // Given
    database.execute(Writers.TABLES);
    try (RunningMirror mirror = RunningMirror.start(database, data, "public.*")) {
      // Then
      Eventually.holds("ready", RunningMirror.LONG, () -> mirror.app().notReady().isEmpty());
      assertThat(mirror.app().status().lag()).isLessThan(Duration.ofSeconds(5));
      assertThat(mirror.app().status().state()).isEqualTo(MirrorState.STREAMING);
    }
  }

  @Test
  void shouldStopOnlyTheTableWhoseRowCannotBeMappedAndRememberIt() throws Exception {
    // Given
    database.execute(Writers.TABLES, "create table public.other (id int primary key, n int)",
        "insert into public.other values (1, 1)");
    try (RunningMirror mirror = RunningMirror.start(database, data, "public.*")) {
      // When
      database.execute("begin; alter table public.other rename n to m; update public.other set m = 2;"
          + " insert into public.t values (1, 'a', 1); commit",
          "update public.other set m = 3", "insert into public.t values (2, 'b', 1)");
      mirror.catchUp();

      // Then
      ReplayedLog.read(mirror.app().engine(), "t.public.t").assertEquals(database, "public.t");
      assertThat(ReplayedLog.read(mirror.app().engine(), "t.public.other").records()).hasSize(1);
      assertStopped(mirror, "other", "had n integer (type 23) when it was read and has m integer");
    }

    // When
    database.execute("alter table public.other rename m to n");
    try (RunningMirror mirror = RunningMirror.start(database, data, "public.*")) {
      database.execute("insert into public.t values (3, 'c', 1)", "insert into public.other values (2, 1)");
      mirror.catchUp();

      // Then
      assertStopped(mirror, "other", "had n integer (type 23) when it was read and has m integer");
      ReplayedLog.read(mirror.app().engine(), "t.public.t").assertEquals(database, "public.t");
      assertThat(ReplayedLog.read(mirror.app().engine(), "t.public.other").records()).hasSize(1);
    }
  }

  @Test
  void shouldStopATableThatIsAlteredWhileItStreams() throws Exception {
    // Given
    database.execute(Writers.TABLES, "create table public.big (id int primary key, n int)",
        "insert into public.big values (1, 1)");
    try (RunningMirror mirror = RunningMirror.start(database, data, "public.*")) {
      // When
      database.execute("alter table public.big alter n type text");

      // Then
      Eventually.holds("stopped", RunningMirror.LONG, () -> !mirror.app().status().refused().isEmpty());
      assertStopped(mirror, "big", "had column n integer and has column n text");
    }
  }

  @Test
  void shouldRefuseATableWithoutKeyAndMirrorTheOthers() throws Exception {
    // Given
    database.execute(Writers.TABLES, "create table public.big (n int)");

    // When
    try (RunningMirror mirror = RunningMirror.start(database, data, "public.*")) {
      // Then
      assertThat(mirror.app().status().refused()).singleElement().satisfies(table -> {
        assertThat(table.state()).isEqualTo(TableState.REFUSED);
        assertThat(table.reason()).contains("key");
      });
      database.execute("insert into public.big values (1)", "insert into public.t values (1, 'a', 1)");
      mirror.catchUp();
      ReplayedLog.read(mirror.app().engine(), "t.public.t").assertEquals(database, "public.t");
    }
  }

  @Test
  void shouldRefuseASlotThatItKnowsNothingOf() {
    // Given
    database.execute(Writers.TABLES,
        "select pg_create_logical_replication_slot('" + database.name() + "', 'pgoutput')");

    // Then
    assertThatThrownBy(
        () -> RunningMirror.start(RunningMirror.options(database, data, "public.*"), MirrorListener.NONE))
        .isInstanceOf(SourceRefusedException.class)
        .hasMessageContaining("exists, but data.dir knows nothing of it")
        .hasMessageContaining("pg_drop_replication_slot");
  }

  @Test
  void shouldRefuseToGoOnWithoutItsSlot() throws Exception {
    // Given
    database.execute(Writers.TABLES);
    RunningMirror.start(database, data, "public.*").close();
    database.dropSlots();

    // Then
    assertThatThrownBy(
        () -> RunningMirror.start(RunningMirror.options(database, data, "public.*"), MirrorListener.NONE))
        .isInstanceOf(SourceRefusedException.class)
        .hasMessageContaining("does not exist any more");
  }

  @Test
  void shouldRefuseAnotherDatabaseThanTheOneThatItMirrored() throws Exception {
    // Given
    database.execute(Writers.TABLES);
    RunningMirror.start(database, data, "public.*").close();
    try (TestDatabase other = PostgresFixture.shared().newDatabase()) {
      other.execute(Writers.TABLES);

      // Then
      assertThatThrownBy(() -> RunningMirror.start(RunningMirror.options(other, data, "public.*"), MirrorListener.NONE))
          .isInstanceOf(SourceRefusedException.class)
          .hasMessageContaining("point source.url to that one");
    }
  }

  @Test
  void shouldMirrorAPartitionedTableAsOne() throws Exception {
    // Given
    database.execute("create table public.p (id int primary key, v text) partition by range (id)",
        "create table public.p1 partition of public.p for values from (0) to (100)",
        "create table public.p2 (v text, id int not null)",
        "alter table public.p attach partition public.p2 for values from (100) to (200)",
        "insert into public.p select i, 'v' || i from generate_series(1, 150) i");

    // When
    try (RunningMirror mirror = RunningMirror.start(database, data, "public.p")) {
      database.execute("update public.p set v = 'w' where id in (5, 120)", "update public.p set id = 170 where id = 7");
      mirror.catchUp();

      // Then
      ReplayedLog.read(mirror.app().engine(), "t.public.p").assertEquals(database, "public.p");
    }
  }

  @Test
  void shouldCleanOnRequestWithKeysOfThatPassOnly() throws Exception {
    // Given
    database.execute(Writers.TABLES, "insert into public.t select i, 'v', i from generate_series(1, 500) i");
    try (RunningMirror mirror = RunningMirror.start(database, data, "public.*")) {
      database.execute("update public.t set v = 'w'", "update public.t set v = 'x'");
      mirror.catchUp();
      CleanRequest request = new CleanRequest(
          List.of("t.public.t"), true,
          Map.of("min.compaction.lag.ms", "0", "log.cleaner.dedupe.buffer.size", "2097152"));

      // When
      List<CleaningResult> cleaned = mirror.app().clean(request);

      // Then
      assertThat(cleaned).singleElement().isInstanceOfSatisfying(CleanedLog.class, log -> {
        assertThat(log.report().recordsIn()).isEqualTo(1500);
        assertThat(log.report().recordsOut()).isEqualTo(500);
      });
      ReplayedLog.read(mirror.app().engine(), "t.public.t").assertRows(database, "public.t");
      assertThatThrownBy(() -> mirror.app().clean(new CleanRequest(List.of("t.public.none"), false, Map.of())))
          .isInstanceOf(UnknownTopicException.class);
      assertThatThrownBy(() -> mirror.app().clean(new CleanRequest(List.of(), false, Map.of("retention", "1"))))
          .isInstanceOf(InvalidConfigException.class);
    }
  }

  private RowlogOptions uncleaned() {
    RowlogOptions options = RunningMirror.options(database, data, "public.*");
    return new RowlogOptions(options.source(), options.dataDirectory(), options.topicPrefix(),
        options.topic().with("min.compaction.lag.ms", "3600000"), options.cleaner(), options.http(),
        options.snapshotReaders(), options.heartbeat());
  }

  /** The log is told of a stop first, the board next. */
  private static void assertStopped(RunningMirror mirror, String stopped, String words) throws Exception {
    Eventually.holds("stopped", RunningMirror.LONG, () -> !mirror.app().status().refused().isEmpty());
    MirrorStatus status = mirror.app().status();
    assertThat(status.state()).isEqualTo(MirrorState.STREAMING);
    assertThat(status.refused()).singleElement().satisfies(table -> {
      assertThat(table.table().table()).isEqualTo(stopped);
      assertThat(table.state()).isEqualTo(TableState.STOPPED);
      assertThat(table.reason()).contains(words);
    });
  }

}
