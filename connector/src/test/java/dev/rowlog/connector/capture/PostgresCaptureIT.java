package dev.rowlog.connector.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.change.SourceEvent;
import dev.rowlog.connector.mapping.RowJson;
import dev.rowlog.connector.mapping.TableRecordMapper;
import dev.rowlog.connector.postgres.AllTypes;
import dev.rowlog.connector.postgres.UtcJvm;
import dev.rowlog.engine.record.Record;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

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

  /** What replaying the records leaves: key to value, both as text, in the key's order. */
  private static Map<String, String> replay(CaptureHarness harness, String table) {
    TableRecordMapper mapper = new TableRecordMapper(new RowJson(harness.table(table)));
    Map<String, String> rows = new TreeMap<>();
    for (SourceEvent.Row row : harness.sink().rows()) {
      if (row.table().toString().equals(table)) {
        for (Record record : mapper.map(row)) {
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
