package dev.rowlog.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.connector.mirror.TableState;
import dev.rowlog.connector.mirror.TableStatus;
import dev.rowlog.connector.postgres.Eventually;
import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import dev.rowlog.connector.postgres.UtcJvm;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What changes a table without an event in the stream stops that table, and that table alone. */
@ExtendWith(UtcJvm.class)
class SchemaWatchIT {
  private static final String[] SETUP = {
      "create type mood as enum ('sad', 'ok')", "create type pair as (a int, m mood)",
      "create table same_type (id int primary key, v int)", "create table again (id int primary key, v int)",
      "create table attribute (id int primary key, p pair[])", "create table outer_mood (id int primary key, p pair)",
      "create table unlogged_part (id int primary key, v int) partition by range (id)",
      "create table out (id int primary key, v int)",
      "create table \"dot.ted\" (id int primary key, v int)", "create table good (id int primary key, v int)",
      "create table good_part (id int primary key, v int) partition by range (id)",
      "create table good_part_1 partition of good_part for values from (0) to (100)",
      "create table detach_part (id int primary key, v int) partition by range (id)",
      "create table detach_part_1 partition of detach_part for values from (0) to (100)",
      "create table attach_part (id int primary key, v int) partition by range (id)",
      "create table attach_part_1 partition of attach_part for values from (0) to (100)",
      "create table empty_part (id int primary key, v int) partition by range (id)",
      "create table empty_part_1 partition of empty_part for values from (0) to (100)",
      "create table empty_part_2 partition of empty_part for values from (100) to (200)",
      "create type tone as enum ('low', 'high')",
      "create type tones as range (subtype = tone, multirange_type_name = tonemultirange)",
      "create table label_range (id int primary key, v tonemultirange)",
      "insert into label_range values (1, '{[low,high]}')",
      "insert into same_type values (1, 1)", "insert into again values (1, 1)",
      "insert into attribute values (1, array[(1, 'sad')::pair])", "insert into outer_mood values (1, (1, 'sad'))",
      "insert into out values (1, 1)", "insert into good values (1, 1)",
      "insert into good_part values (1, 1)", "insert into detach_part values (1, 1)",
      "insert into attach_part values (1, 1)", "insert into empty_part values (1, 1), (101, 2)"
  };

  private static final String TABLES = "public.*";

  @TempDir
  Path data;

  private TestDatabase database;

  @BeforeEach
  void createDatabase() {
    database = PostgresFixture.shared().newDatabase();
    database.execute(SETUP);
  }

  @AfterEach
  void dropDatabase() {
    database.close();
  }

  /** Each changes its table only, and sends no event. */
  private void breakTables() {
    database.execute(
        "alter table same_type alter column v type int using v + 1",
        "alter table again drop column v", "alter table again add column v int default 5",
        "alter type pair rename attribute a to b cascade", "alter type tone rename value 'high' to 'loud'",
        "create unlogged table unlogged_part_1 partition of unlogged_part for values from (0) to (100)",
        "insert into unlogged_part values (1, 1)",
        "alter publication " + database.name() + " drop table out", "update out set v = 2",
        "alter publication " + database.name() + " add table only out",
        "alter table detach_part detach partition detach_part_1",
        "create table attach_part_2 (id int primary key, v int)", "insert into attach_part_2 values (101, 1)",
        "alter table attach_part attach partition attach_part_2 for values from (100) to (200)",
        "truncate empty_part_2", "create schema \"public.dot\"",
        "create table \"public.dot\".ted (id int primary key, v int)");
  }

  private static List<String> stopped(RunningMirror mirror) {
    return mirror.app().status().tables().stream().filter(table -> table.state() == TableState.STOPPED)
        .map(table -> table.table().table()).sorted().toList();
  }

  private static final List<String> BROKEN = List.of("again", "attach_part", "attribute", "detach_part", "dot.ted",
      "empty_part", "label_range", "out", "outer_mood", "same_type", "unlogged_part");

  @Test
  void shouldStopEachTableThatChangesWithoutAnEventWhileItStreams() throws Exception {
    try (RunningMirror mirror = RunningMirror.start(database, data, TABLES)) {
      breakTables();

      Eventually.holds("stopped: " + reasons(mirror), RunningMirror.LONG, () -> stopped(mirror).equals(BROKEN));
      assertReasons(mirror);
      assertGoodGoOn(mirror);
    }
  }

  @Test
  void shouldStopEachTableThatChangedWithoutAnEventWhileNothingRan() throws Exception {
    RunningMirror.start(database, data, TABLES).close();
    breakTables();

    try (RunningMirror mirror = RunningMirror.start(database, data, TABLES)) {
      Eventually.holds("stopped: " + reasons(mirror), RunningMirror.LONG, () -> stopped(mirror).equals(BROKEN));
      assertReasons(mirror);
      assertGoodGoOn(mirror);
    }
  }

  private void assertReasons(RunningMirror mirror) {
    assertThat(reason(mirror, "same_type")).contains("with other values");
    assertThat(reason(mirror, "again")).contains("dropped and added again");
    assertThat(reason(mirror, "attribute")).contains("changed, a to b, of the composite type");
    assertThat(reason(mirror, "outer_mood")).contains("changed, a to b, of the composite type");
    assertThat(reason(mirror, "label_range")).contains("'high' was renamed");
    assertThat(reason(mirror, "unlogged_part")).contains("not logged");
    assertThat(reason(mirror, "out")).contains("publication");
    assertThat(reason(mirror, "dot.ted")).contains("cannot be told from");
    assertThat(reason(mirror, "detach_part")).contains("detached or dropped");
    assertThat(reason(mirror, "attach_part")).contains("attached with rows in it");
    assertThat(reason(mirror, "empty_part")).contains("truncated alone");
  }

  private void assertGoodGoOn(RunningMirror mirror) throws InterruptedException {
    database.execute("insert into good values (2, 2)", "insert into good_part values (2, 2)");
    mirror.catchUp();
    ReplayedLog.read(mirror.app().engine(), "t.public.good").assertEquals(database, "public.good");
    ReplayedLog.read(mirror.app().engine(), "t.public.good_part").assertEquals(database, "public.good_part");
  }

  @Test
  void shouldGoOnWhereNoRowChangesWithoutItsEvent() throws Exception {
    for (boolean running : new boolean[]{true, false}) {
      RunningMirror mirror = RunningMirror.start(database, data, TABLES);
      if (!running) {
        mirror.close();
      }
      String next = running ? "2" : "3";
      database.execute(
          "alter type mood add value 'soso" + next + "'",
          "insert into outer_mood values (" + next + ", (1, 'soso" + next + "'))",
          "create schema beside" + next, "create table beside" + next + ".t (id int primary key)",
          "alter publication " + database.name() + " add table only beside" + next + ".t",
          "comment on publication " + database.name() + " is '" + next + "'", "vacuum full pg_publication",
          "vacuum freeze pg_publication",
          "vacuum full good", "alter table good add check (v > -" + next + ")", "cluster good using good_pkey",
          "truncate good", "insert into good values (" + next + ", 1)",
          "vacuum full good_part_1",
          "create table good_part_" + next + " partition of good_part for values from (" + next + "00) to (" + next
              + "99)",
          "insert into good_part values (" + next + "50, 1)",
          "begin; create table good_part_x" + next
              + " (like good_part including all); alter table good_part attach partition"
              + " good_part_x" + next + " for values from (1" + next + "00) to (1" + next
              + "99); insert into good_part values (5" + next + ", 1); commit",
          "truncate empty_part", "insert into empty_part values (150, " + next + ")", "vacuum full empty_part_2",
          "alter table again replica identity full", "update again set v = " + next,
          "alter table same_type alter column v set not null", "create index on same_type (v)");
      if (!running) {
        mirror = RunningMirror.start(database, data, TABLES);
      }
      try (RunningMirror checked = mirror) {
        // Two looks at least: each comes before a beat.
        for (int i = 0; i < 4; i++) {
          checked.catchUp();
        }
        database.execute("insert into again values (" + next + ", 7)");
        checked.catchUp();
        assertThat(reasons(checked)).isEmpty();
        for (String table : List.of("good", "good_part", "empty_part", "again", "same_type", "outer_mood")) {
          ReplayedLog.read(checked.app().engine(), "t.public." + table).assertEquals(database, "public." + table);
        }
      }
    }
  }

  @Test
  void shouldStopATableAtItsFirstRowAfterAnAlterAndPrintNoneByTheOldTypes() throws Exception {
    try (RunningMirror mirror = RunningMirror.start(database, data, TABLES)) {
      database.execute("begin; insert into good values (7, 7); alter table good alter column v type text;"
          + " update good set v = 'seven' where id = 7; commit");
      mirror.catchUp();

      // The log is told first, the board next.
      Eventually.holds("stopped", RunningMirror.LONG, () -> stopped(mirror).contains("good"));
      assertThat(reason(mirror, "good")).contains("had v integer").contains("v (type 25)");
      assertThat(ReplayedLog.read(mirror.app().engine(), "t.public.good").rows()).hasSize(1);
    }
  }

  @Test
  void shouldStopEveryTable_whenThePublicationWasNarrowedAndWidenedBetweenTwoLooks() throws Exception {
    try (RunningMirror mirror = RunningMirror.start(database, data, "public.good,public.out")) {
      // In one transaction: no look comes between.
      database.execute("alter publication " + database.name() + " set (publish = 'insert');"
          + "alter publication " + database.name() + " set (publish = 'insert, update, delete, truncate')");

      Eventually.holds("stopped: " + reasons(mirror), RunningMirror.LONG,
          () -> stopped(mirror).equals(List.of("good", "out")));
      assertThat(reason(mirror, "good")).contains("the publication was altered", "data.dir");
    }
  }

  @Test
  void shouldStopEveryTable_whenThePublicationWasNarrowedAndWidenedWhileNothingRan() throws Exception {
    RunningMirror.start(database, data, "public.good").close();
    database.execute("alter publication " + database.name() + " set (publish = 'insert')", "update good set v = 7",
        "alter publication " + database.name() + " set (publish = 'insert, update, delete, truncate')");

    assertThatThrownBy(() -> RunningMirror.start(database, data, "public.good"))
        .hasMessageContaining("the publication was altered");
  }

  @Test
  void shouldStopEveryTable_whoseSchemaWasTakenOutOfThePublicationForAWhile() throws Exception {
    database.execute("create publication " + database.name() + " for tables in schema public"
        + " with (publish = 'insert, update, delete, truncate', publish_via_partition_root = true)");
    RunningMirror.start(database, data, "public.good").close();
    database.execute("alter publication " + database.name() + " drop tables in schema public",
        "update good set v = 7", "alter publication " + database.name() + " add tables in schema public");

    assertThatThrownBy(() -> RunningMirror.start(database, data, "public.good"))
        .hasMessageContaining("the publication was altered");
  }

  @Test
  void shouldStopEveryTableWhenThePublicationIsGone() throws Exception {
    RunningMirror.start(database, data, TABLES).close();
    database.execute("drop publication " + database.name());

    assertThatThrownBy(() -> RunningMirror.start(database, data, TABLES))
        .hasMessageContaining("publication " + database.name() + " was dropped");
  }

  private static String reason(RunningMirror mirror, String table) {
    return mirror.app().status().tables().stream().filter(status -> status.table().table().equals(table))
        .map(TableStatus::reason).findFirst().orElseThrow();
  }

  private static String reasons(RunningMirror mirror) {
    return mirror.app().status().tables().stream().filter(table -> table.state() == TableState.STOPPED)
        .map(TableStatus::reason).collect(Collectors.joining("\n"));
  }
}
