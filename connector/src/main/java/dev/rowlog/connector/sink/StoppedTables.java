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
 * The internal compacted log {@code __rowlog_status}: tables that missed changes and must not go on as if they had
 * not. A stop is committed with the first transaction that its table misses, so no restart can forget it.
 */
public final class StoppedTables {
  public static final String TOPIC = "__rowlog_status";

  private static final ObjectMapper JSON = new ObjectMapper();

  private StoppedTables() {}

  /**
   * @param lsn end LSN of the first transaction that the table misses
   */
  public static Record record(TableId table, String reason, Lsn lsn, long timestampMs) {
    Map<String, Object> value = new TreeMap<>();
    value.put("state", "stopped");
    value.put("reason", reason);
    value.put("lsn", lsn.toString());
    return new Record(-1, timestampMs, key(table), bytes(value), List.of());
  }

  /** Reasons by table, as committed. */
  public static Map<TableId, String> read(LogEngine engine) {
    Map<TableId, String> stopped = new TreeMap<>();
    TopicPartition log = TopicPartition.of(TOPIC);
    if (engine.log(log).isEmpty()) {
      return stopped;
    }
    try (LogCursor cursor = engine.cursor(log, 0)) {
      while (cursor.next()) {
        Record record = cursor.record();
        JsonNode key = JSON.readTree(record.key());
        TableId table = new TableId(key.required("schema").textValue(), key.required("table").textValue());
        if (key.has(Truncations.KEY_FIELD)) {
          continue;
        }
        if (record.isTombstone()) {
          stopped.remove(table);
        } else {
          stopped.put(table, JSON.readTree(record.value()).required("reason").textValue());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(TOPIC + " holds a record that is no JSON", e);
    }
    return stopped;
  }

  private static byte[] key(TableId table) {
    return bytes(new TreeMap<>(Map.of("schema", table.schema(), "table", table.table())));
  }

  private static byte[] bytes(Map<String, Object> value) {
    try {
      return JSON.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
