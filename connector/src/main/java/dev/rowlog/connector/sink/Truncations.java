package dev.rowlog.connector.sink;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.record.Record;
import dev.rowlog.engine.replay.LogCursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The last TRUNCATE of each table that the log has followed, in {@code __rowlog_status}: by it a new file of a partition is told from a TRUNCATE of
 * that partition alone, which sends no event.
 */
public final class Truncations {
  static final String KEY_FIELD = "event";

  private static final ObjectMapper JSON = new ObjectMapper();

  private Truncations() {}

  /**
   * @param lsn end LSN of the transaction
   */
  static Record record(TableId table, Lsn lsn, long timestampMs) {
    Map<String, Object> key = new TreeMap<>(
        Map.of("schema", table.schema(), "table", table.table(), KEY_FIELD, "truncate"));
    return new Record(-1, timestampMs, bytes(key), bytes(Map.of("lsn", lsn.toString())), List.of());
  }

  /** As committed. */
  public static Map<TableId, Lsn> read(LogEngine engine) {
    Map<TableId, Lsn> truncations = new TreeMap<>();
    TopicPartition log = TopicPartition.of(StoppedTables.TOPIC);
    if (engine.log(log).isEmpty()) {
      return truncations;
    }
    try (LogCursor cursor = engine.cursor(log, 0)) {
      while (cursor.next()) {
        Record record = cursor.record();
        JsonNode key = JSON.readTree(record.key());
        if (key.has(KEY_FIELD) && !record.isTombstone()) {
          truncations.put(new TableId(key.required("schema").textValue(), key.required("table").textValue()),
              Lsn.parse(JSON.readTree(record.value()).required("lsn").textValue()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(StoppedTables.TOPIC + " holds a record that is no JSON", e);
    }
    return truncations;
  }

  private static byte[] bytes(Map<String, Object> value) {
    try {
      return JSON.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
