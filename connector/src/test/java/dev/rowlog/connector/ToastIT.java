package dev.rowlog.connector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.mirror.CleanRequest;
import dev.rowlog.connector.mirror.TableState;
import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import dev.rowlog.connector.postgres.UtcJvm;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Values out of line that an update leaves alone: the stream does not carry them. */
@ExtendWith(UtcJvm.class)
class ToastIT {
  private static final List<String> TYPES = List.of("text", "varchar", "bytea", "json", "jsonb", "text[]", "int[]",
      "xml",
      "numeric", "bit varying", "tsvector", "hstore", "path", "citext", "big", "pair", "pair[]", "int4multirange");

  @TempDir
  Path data;

  private TestDatabase database;

  @BeforeEach
  void createDatabase() {
    database = PostgresFixture.shared().newDatabase();
    database.execute("create extension hstore", "create extension citext", "create domain big as text",
        "create type pair as (a int, b text)",
        "create function noise(n int) returns text language sql volatile as"
            + " $$ select string_agg(md5(random()::text) || E' \"\\\\,}]\\n', '') from generate_series(1, n) $$");
  }

  @AfterEach
  void dropDatabase() {
    database.close();
  }

  private static String value(String type) {
    return switch (type) {
      case "bytea" -> "convert_to(noise(300), 'UTF8')";
      case "json" -> "('  {\"k\" : ' || to_json(noise(300))::text || ', \"k\":[1 ,2]} ')::json";
      case "jsonb" -> "jsonb_build_object('k', noise(300), 'n', array[1, 2])";
      case "text[]" -> "array[noise(200), null, noise(200)]";
      case "int[]" -> "(select array_agg((random() * 1e9)::int) from generate_series(1, 4000))";
      case "xml" -> "xmlelement(name x, noise(300))";
      case "numeric" ->
        "(select string_agg((random() * 1e9)::bigint::text, '') from generate_series(1, 2000))::numeric";
      case "bit varying" ->
        "(select string_agg((random() * 2147483647)::int::bit(32)::text, '') from generate_series(1, 900))::bit varying";
      case "tsvector" -> "to_tsvector('simple', noise(400))";
      case "hstore" -> "hstore('k', noise(300)) || 'n=>NULL'";
      case "path" ->
        "(select '[' || string_agg('(' || random() || ',' || random() || ')', ',') || ']' from generate_series(1, 400))::path";
      case "pair" -> "(1, noise(300))::pair";
      case "pair[]" -> "array[(1, noise(200))::pair, (null, noise(200))::pair]";
      case "int4multirange" ->
        "(select range_agg(int4range(i * 10, i * 10 + 1 + (random() * 5)::int)) from generate_series(1, 2000) i)";
      default -> "noise(300)::" + type;
    };
  }

  @Test
  void shouldKeepEveryToastedValueThatAnUpdateLeavesAlone() throws Exception {
    // Given
    StringBuilder columns = new StringBuilder();
    StringBuilder values = new StringBuilder();
    for (int i = 0; i < TYPES.size(); i++) {
      columns.append(", c").append(i).append(' ').append(TYPES.get(i));
      values.append(", ").append(value(TYPES.get(i)));
    }
    database.execute("create table t (id int primary key, n int" + columns + ")");
    for (int i = 0; i < TYPES.size(); i++) {
      database.execute("alter table t alter column c" + i + " set storage external");
    }
    database.execute("insert into t select i, 0" + values + " from generate_series(1, 2) i");
    try (RunningMirror mirror = RunningMirror.start(database, data, "public.t")) {
      // When
      database.execute("insert into t select i, 0" + values + " from generate_series(3, 5) i",
          "update t set n = 1", "update t set id = id + 100 where id > 3",
          "begin; update t set n = 2; update t set c0 = noise(200) where id = 1; update t set n = 3 where id = 1;"
              + " savepoint s; update t set c0 = noise(200) where id = 1; rollback to s; update t set n = 4;"
              + " delete from t where id = 2; commit",
          "begin; insert into t select 9, 0" + values
              + "; update t set n = 5 where id = 9; update t set id = 10 where id = 9;"
              + " update t set n = 6 where id = 10; commit",
          "begin; update t set n = 7; rollback");
      mirror.catchUp();

      // Then
      assertThat(mirror.app().status().tables()).allMatch(table -> table.state() == TableState.STREAMING);
      ReplayedLog.read(mirror.app().engine(), "t.public.t").assertEquals(database, "public.t");

      mirror.app().clean(new CleanRequest(List.of(), true, Map.of()));
      database.execute("update t set n = 8");
      mirror.catchUp();
      ReplayedLog.read(mirror.app().engine(), "t.public.t").assertRows(database, "public.t");
    }
    database.execute("update t set n = 9");
    try (RunningMirror mirror = RunningMirror.start(database, data, "public.t")) {
      mirror.catchUp();
      ReplayedLog.read(mirror.app().engine(), "t.public.t").assertRows(database, "public.t");
    }
  }
}
