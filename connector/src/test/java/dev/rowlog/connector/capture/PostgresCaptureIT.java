package dev.rowlog.connector.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.catalog.TableSchema;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.RowImage;
import dev.rowlog.connector.change.SourceEvent;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.mapping.LastValues;
import dev.rowlog.connector.mapping.RowJson;
import dev.rowlog.connector.mapping.TableRecordMapper;
import dev.rowlog.connector.postgres.AllTypes;
import dev.rowlog.connector.postgres.Eventually;
import dev.rowlog.connector.postgres.UtcJvm;
import dev.rowlog.engine.record.Record;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.PGConnection;

@ExtendWith(UtcJvm.class)
class PostgresCaptureIT {

  @Test
  void shouldPrintEveryTypeAsTheServerDoesFromTheStream() throws Exception {
    // Given
    String[] ddl = Stream.concat(AllTypes.prelude().stream(), AllTypes.ddl().stream()).toArray(String[]::new);
    try (CaptureHarness harness = CaptureHarness.open(AllTypes.TABLE, ddl)) {
      harness.start();

      // When
      AllTypes.inserts().forEach(harness.database()::execute);
      harness.catchUp();

      // Then
      assertThat(replay(harness, AllTypes.TABLE)).hasSizeGreaterThan(10).isEqualTo(table(harness, AllTypes.TABLE));
    }
  }

  @Test
  void shouldCompleteUnchangedToastOfEveryTypeUnderFullIdentity() throws Exception {
    // Given
    String[] ddl = Stream.of(AllTypes.prelude().stream(), AllTypes.ddl().stream(), AllTypes.inserts().stream(),
        Stream.of("alter table kinds.all_types replica identity full")).flatMap(statements -> statements)
        .toArray(String[]::new);
    try (CaptureHarness harness = CaptureHarness.open(AllTypes.TABLE, ddl)) {
      harness.start();

      // When
      harness.database().execute("update kinds.all_types set \"1 boolean\" = null");
      harness.catchUp();
      Map<String, String> updated = replay(harness, AllTypes.TABLE);
      Map<String, String> expected = table(harness, AllTypes.TABLE);
      harness.database().execute("update kinds.all_types set id = id + 1000");
      harness.catchUp();

      // Then
      assertThat(updated).hasSizeGreaterThan(10).isEqualTo(expected);
      assertThat(replay(harness, AllTypes.TABLE)).isEqualTo(table(harness, AllTypes.TABLE));
    }
  }

  @Test
  void shouldDeliverCommittedTransactionsWholeAndInOrder() throws Exception {
    // Given
    try (CaptureHarness harness = CaptureHarness.open("public.t", "create table t (id int primary key, v text)")) {
      harness.start();

      // When
      harness.database().execute(
          "begin; insert into t values (1, 'a'), (2, 'b'); update t set v = 'a2' where id = 1; commit",
          "begin; insert into t values (3, 'rolled back'); rollback",
          "begin; insert into t values (4, 'd'); savepoint s; insert into t values (5, 'undone'); rollback to s;"
              + " insert into t values (6, 'f'); commit",
          "begin; update t set id = 10 where id = 1; delete from t where id = 2; commit",
          "begin; insert into t values (7, 'g'); truncate t; insert into t values (7, 'g2'); commit",
          "update t set v = v", "delete from t");
      harness.catchUp();

      // Then
      assertThat(harness.sink().committed().stream().flatMap(PostgresCaptureIT::inShort)).containsExactly(
          "begin", "c {1, a} 1", "c {2, b} 2", "u {1, a2} 3", "end t=3",
          "begin", "c {4, d} 1", "c {6, f} 2", "end t=2",
          "begin", "u {10, a2} 2", "d {2} 3", "end t=2",
          "begin", "c {7, g} 1", "t 2", "c {7, g2} 3", "end t=3",
          "begin", "u {7, g2} 1", "end t=1",
          "begin", "d {7} 1", "end t=1");
    }
  }

  @Test
  void shouldGiveEachTransactionItsFullIdCommitTimeAndEnd() throws Exception {
    // Given
    try (CaptureHarness harness = CaptureHarness.open("public.t", "create table t (id int primary key, v text)")) {
      harness.start();
      String before = harness.database().queryText("select extract(epoch from clock_timestamp()) * 1000000");

      // When
      String xid = harness.database()
          .queryText("with w as (insert into t values (1, 'a') returning 1) select pg_current_xact_id()"
              + " from w");
      harness.catchUp();

      // Then
      SourceEvent.Row row = harness.sink().rows().get(0);
      SourceEvent.End end = harness.sink().committed().stream().filter(SourceEvent.End.class::isInstance)
          .map(SourceEvent.End.class::cast).findFirst().orElseThrow();
      String after = harness.database().queryText("select pg_current_wal_insert_lsn()");
      assertThat(row.transactionId()).isEqualTo(Long.parseLong(xid)).isEqualTo(end.transactionId());
      assertThat(row.commitTimestampMicros()).isBetween((long) Double.parseDouble(before),
          (long) Double.parseDouble(before) + 60_000_000);
      assertThat(end.commitTimestampMicros()).isEqualTo(row.commitTimestampMicros());
      assertThat(row.lsn()).isLessThan(end.endLsn());
      assertThat(end.endLsn()).isLessThanOrEqualTo(Lsn.parse(after));
      assertThat(end.eventCounts()).containsOnly(Map.entry(new TableId("public", "t"), 1L));
    }
  }

  @Test
  void shouldDeliverEveryRowOfACopyOfWhichManyShareOnePosition() throws Exception {
    // Given
    try (CaptureHarness harness = CaptureHarness.open("public.t", "create table t (id int primary key, v text)")) {
      harness.start();

      // When
      try (Connection connection = harness.database().connect()) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
          lines.append(i).append("\tv").append(i).append('\n');
        }
        connection.unwrap(PGConnection.class).getCopyAPI().copyIn("copy t from stdin",
            new StringReader(lines.toString()));
      }
      harness.catchUp();

      // Then
      List<SourceEvent.Row> rows = harness.sink().rows();
      assertThat(rows.stream().map(SourceEvent.Row::lsn).distinct().count()).isLessThan(rows.size());
      assertThat(rows.stream().map(SourceEvent.Row::order)).containsExactlyElementsOf(
          LongStream.rangeClosed(1, 5_000).boxed().toList());
      assertThat(replay(harness, "public.t")).hasSize(5_000).isEqualTo(table(harness, "public.t"));
    }
  }

  @Test
  void shouldLoseAndDoubleNothingWhenItRestartsAtRandomEvents() throws Exception {
    // Given
    Random random = new Random(Long.getLong("seed", 20_260_101L));
    try (CaptureHarness harness = CaptureHarness.open("public.t", "create table t (id int primary key, v text)")) {
      int transactions = 0;
      for (int round = 0; round < Integer.getInteger("rounds", 20); round++) {
        // When
        for (int i = 0; i < 10; i++) {
          int size = 1 + random.nextInt(40);
          harness.database().execute(
              "insert into t select " + transactions + " * 1000 + g, 'v' || g from generate_series(1, " + size + ") g");
          transactions++;
        }
        harness.sink().crashAfter(1 + random.nextInt(250));
        harness.capture().start(harness.position());
        CaptureState end = round % 4 == 3 ? stopped(harness) : harness.capture().awaitEnd();
        assertThat(end).isInstanceOf(round % 4 == 3 ? CaptureState.class : CaptureState.Failed.class);
        while (harness.capture().state() instanceof CaptureState.Failed failed
            && failed.reason().contains("in use by process")) {
          harness.capture().start(harness.position());
          harness.capture().awaitEnd();
        }
      }
      harness.sink().crashAfter(Integer.MAX_VALUE);
      harness.start();
      harness.catchUp();

      // Then
      List<SourceEvent.Begin> begun = harness.sink().committed().stream().filter(SourceEvent.Begin.class::isInstance)
          .map(SourceEvent.Begin.class::cast).toList();
      assertThat(begun).hasSize(transactions).doesNotHaveDuplicates();
      assertThat(harness.sink().rows().stream().map(row -> row.after().value(0)))
          .containsExactlyElementsOf(harness.database().queryTexts("select id from t order by id"));
    }
  }

  private static CaptureState stopped(CaptureHarness harness) throws InterruptedException {
    harness.capture().stop();
    return harness.capture().state();
  }

  @Test
  void shouldDeliverMessagesAfterARestartOnAnIdleDatabase() throws Exception {
    // Given
    try (CaptureHarness harness = CaptureHarness.open("public.t", "create table t (id int primary key, v text)")) {
      harness.start();
      harness.database().execute("insert into t values (1, 'a')");
      harness.catchUp();
      harness.capture().stop();
      assertThat(harness.capture().state()).isInstanceOf(CaptureState.Stopped.class);

      // When
      new Heartbeat(harness.connections()::connect).emit("while it was down");
      harness.start();
      harness.catchUp();

      // Then
      assertThat(harness.sink().committed().stream().filter(SourceEvent.Message.class::isInstance)
          .filter(event -> Heartbeat.is((SourceEvent.Message) event, "while it was down"))).hasSize(1);
      assertThat(harness.sink().rows()).hasSize(1);
    }
  }

  @Test
  void shouldTellTransactionalMessagesFromTheOthers() throws Exception {
    // Given
    try (CaptureHarness harness = CaptureHarness.open("public.t", "create table t (id int primary key, v text)")) {
      harness.start();

      // When
      harness.database()
          .execute("begin; insert into t values (1, 'a'); select pg_logical_emit_message(true, 'app', 'inside'::bytea);"
              + " commit", "select pg_logical_emit_message(false, 'app', '\\x00ff'::bytea)");
      harness.catchUp();

      // Then
      List<SourceEvent> events = harness.sink().committed().stream()
          .filter(event -> !(event instanceof SourceEvent.Message message) || message.prefix().equals("app")).toList();
      assertThat(events).hasSize(5);
      assertThat((SourceEvent.Message) events.get(2)).satisfies(message -> {
        assertThat(message.transactional()).isTrue();
        assertThat(message.content()).asString().isEqualTo("inside");
      });
      assertThat((SourceEvent.Message) events.get(4)).satisfies(message -> {
        assertThat(message.transactional()).isFalse();
        assertThat(message.content()).containsExactly(0, 0xff);
      });
    }
  }

  @Test
  void shouldAdvanceTheSlotToWhatIsCommitted() throws Exception {
    // Given
    try (CaptureHarness harness = CaptureHarness.open("public.t", "create table t (id int primary key, v text)")) {
      harness.start();

      // When
      harness.database().execute("insert into t values (1, 'a')");
      harness.catchUp();
      Lsn committed = harness.sink().position();

      // Then
      Eventually.holds("the slot stands at " + committed, Duration.ofSeconds(30), () -> {
        new Heartbeat(harness.connections()::connect).emit("poll");
        return committed
            .isAtOrBelow(Lsn.parse(harness.database().queryText("select confirmed_flush_lsn from pg_replication_slots"
                + " where slot_name = ?", harness.database().name())));
      });
    }
  }

  @Test
  void shouldMirrorNamesOfAnyKindAndDropOthersThatDifferOnlyInCase() throws Exception {
    // Given
    String odd = "\"My.Shop\".\"Or\"\"ders, $1 (\u00e4)\"";
    try (CaptureHarness harness = CaptureHarness.open("\"My.Shop\".*,!public.*", "create schema \"My.Shop\"",
        "create table " + odd + " (\"I d\" int, \"a,b;c\" text, primary key (\"a,b;c\", \"I d\"))")) {
      harness.database().execute("create schema \"my.shop\"",
          "create table \"my.shop\".\"or\"\"ders, $1 (\u00e4)\" (id int primary key)",
          "alter publication " + harness.database().name() + " add table \"my.shop\".\"or\"\"ders, $1 (\u00e4)\"");
      harness.start();

      // When
      harness.database().execute("insert into " + odd + " values (1, 'x')", "update " + odd + " set \"I d\" = 2",
          "insert into \"my.shop\".\"or\"\"ders, $1 (\u00e4)\" values (5)");
      harness.catchUp();

      // Then
      TableSchema table = harness.table("My.Shop.Or\"ders, $1 (\u00e4)");
      assertThat(harness.sink().rows()).allMatch(row -> row.table().equals(table.id()));
      assertThat(replay(harness, table.id().toString())).containsOnly(
          Map.entry("{\"a,b;c\":\"x\",\"I d\":2}", "{\"I d\":2,\"a,b;c\":\"x\"}"));
    }
  }

  @Test
  void shouldDropWhatThePublicationHasBeyondTheMirroredTables() throws Exception {
    // Given
    try (CaptureHarness harness = CaptureHarness.open("public.t", "create table t (id int primary key)",
        "create table refused (a int, b int)")) {
      harness.database().execute("alter publication " + harness.database().name() + " add table refused");
      harness.start();

      // When
      harness.database().execute(
          "begin; insert into refused values (1, 2); insert into t values (1); truncate refused; commit",
          "insert into refused values (3, 4)");
      harness.catchUp();

      // Then
      assertThat(harness.sink().committed().stream().flatMap(PostgresCaptureIT::inShort))
          .containsExactly("begin", "c {1} 1", "end t=1", "begin", "end ");
    }
  }

  @Test
  void shouldKeyByTheReplicaIdentityIndexWhereThatIsSet() throws Exception {
    // Given
    try (CaptureHarness harness = CaptureHarness.open("public.t",
        "create table t (id int primary key, b text not null, a int not null)",
        "create unique index t_ba on t (b, a)", "alter table t replica identity using index t_ba")) {
      harness.start();

      // When
      harness.database().execute("insert into t values (1, 'x', 1), (2, 'y', 2)", "update t set id = 9 where id = 1",
          "update t set b = 'z' where id = 9", "delete from t where id = 2");
      harness.catchUp();

      // Then
      assertThat(replay(harness, "public.t"))
          .containsOnly(Map.entry("{\"b\":\"z\",\"a\":1}", "{\"id\":9,\"b\":\"z\",\"a\":1}"));
    }
  }

  @Test
  void shouldNameRowsOfPartitionsByTheirRoot() throws Exception {
    // Given
    try (CaptureHarness harness = CaptureHarness.open("public.m*",
        "create table m (id int primary key, v text) partition by range (id)",
        "create table m_low partition of m for values from (0) to (100)",
        "create table m_high (v text, id int not null)",
        "alter table m attach partition m_high for values from (100) to (200)")) {
      harness.start();

      // When
      harness.database().execute("insert into m values (1, 'a'), (150, 'b')", "update m set id = 160 where id = 1");
      harness.catchUp();

      // Then
      assertThat(harness.table("public.m").columnNames()).containsExactly("id", "v");
      assertThat(replay(harness, "public.m")).containsOnly(Map.entry("{\"id\":150}", "{\"id\":150,\"v\":\"b\"}"),
          Map.entry("{\"id\":160}", "{\"id\":160,\"v\":\"a\"}"));
    }
  }

  @Test
  void shouldEndWithOneLineWhenTheSinkFails() throws Exception {
    // Given
    try (CaptureHarness harness = CaptureHarness.open("public.t", "create table t (id int primary key, v text)")) {
      harness.start();
      harness.sink().crashAfter(0);

      // When
      harness.database().execute("insert into t values (1, 'a')");
      CaptureState end = harness.capture().awaitEnd();

      // Then
      assertThat(end).isInstanceOfSatisfying(CaptureState.Failed.class,
          failed -> assertThat(failed.reason()).isEqualTo("killed by the test"));
    }
  }

  @Test
  void shouldTellThatATableWasAlteredRatherThanDeliverARowWhoseKeyIsNotTheOneThatWasRead() throws Exception {
    // Given
    try (CaptureHarness harness = CaptureHarness.open("public.t",
        "create table t (id int primary key, v text not null)")) {
      harness.start();
      harness.capture().stop();
      harness.database().execute("insert into t values (1, 'a')", "alter table t rename column id to nr",
          "insert into t values (2, 'b')");

      // When
      harness.start();
      harness.catchUp();

      // Then
      assertThat(harness.sink().committed()).filteredOn(SourceEvent.Altered.class::isInstance).hasSize(2)
          .allSatisfy(event -> assertThat(((SourceEvent.Altered) event).table()).isEqualTo(new TableId("public", "t")));
      assertThat(harness.sink().rows()).isEmpty();
    }
  }

  @Test
  void shouldEndWithTheReasonWhenThePublicationIsDropped() throws Exception {
    // Given
    try (CaptureHarness harness = CaptureHarness.open("public.t", "create table t (id int primary key, v text)")) {
      harness.database().execute("drop publication " + harness.database().name());

      // When
      harness.capture().start(harness.position());
      CaptureState end = harness.capture().awaitEnd();

      // Then
      assertThat(end).isInstanceOfSatisfying(CaptureState.Failed.class,
          failed -> assertThat(failed.reason()).containsIgnoringCase("publication"));
    }
  }

  /** An event without what differs from run to run; messages are left out. */
  private static Stream<String> inShort(SourceEvent event) {
    if (event instanceof SourceEvent.Row row) {
      RowImage shown = row.after() != null ? row.after() : row.before();
      return Stream.of(IntStream.range(0, shown.size()).mapToObj(shown::value)
          .collect(Collectors.joining(", ", row.operation().code() + " {", "} " + row.order())));
    }
    if (event instanceof SourceEvent.Truncate truncate) {
      return Stream.of("t " + truncate.order());
    }
    if (event instanceof SourceEvent.End end) {
      return Stream.of(
          "end " + end.eventCounts().entrySet().stream().map(count -> count.getKey().table() + "=" + count.getValue())
              .collect(Collectors.joining(",")));
    }
    return event instanceof SourceEvent.Begin ? Stream.of("begin") : Stream.empty();
  }

  /** What replaying the records leaves: key to value, both as text, in the key's order. */
  private static Map<String, String> replay(CaptureHarness harness, String table) {
    TableRecordMapper mapper = new TableRecordMapper(new RowJson(harness.table(table)));
    Map<String, String> rows = new TreeMap<>();
    for (SourceEvent.Row row : harness.sink().rows()) {
      if (row.table().toString().equals(table)) {
        for (Record record : mapper.map(row, LastValues.NONE)) {
          String key = new String(record.key(), StandardCharsets.UTF_8);
          if (record.isTombstone()) {
            rows.remove(key);
          } else {
            rows.put(key, new String(record.value(), StandardCharsets.UTF_8));
          }
        }
      }
    }
    return rows;
  }

  /** The same of the table itself, by the server. */
  private static Map<String, String> table(CaptureHarness harness, String table) throws Exception {
    Map<String, String> rows = new TreeMap<>();
    try (Connection connection = harness.connections().connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement
            .executeQuery("select to_json(t.*)::text, json_build_object('id', id)::text from only "
                + harness.table(table).id().quoted() + " t")) {
      while (result.next()) {
        rows.put(result.getString(2).replace(" ", ""), result.getString(1));
      }
    }
    return rows;
  }
}
