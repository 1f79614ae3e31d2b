package dev.rowlog.connector.replay.loop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.engine.record.Record;
import dev.rowlog.engine.replay.LogCursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What {@code __rowlog_status} says of tables that do not simply go on.
 *
 * @param stopped reason by table: its log misses changes
 * @param notComplete being read from the source, so that its log is not yet the table
 */
public record TableNotes(Map<TableId, String> stopped, Set<TableId> notComplete) {
  static final TableNotes NONE = new TableNotes(Map.of(), Set.of());

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String STOPPED = "stopped";
  private static final String SNAPSHOTTING = "snapshotting";

  public TableNotes {
    stopped = Map.copyOf(stopped);
    notComplete = Set.copyOf(notComplete);
  }

  /** Reads the cursor to its end; states that this version does not know say nothing of a table. */
  static TableNotes read(LogCursor cursor) {
    Map<TableId, String> stopped = new TreeMap<>();
    TreeSet<TableId> notComplete = new TreeSet<>();
    try {
      while (cursor.next()) {
        Record record = cursor.record();
        JsonNode key = JSON.readTree(record.key());
        TableId table = new TableId(key.path("schema").asText(), key.path("table").asText());
        JsonNode value = record.isTombstone() ? JSON.nullNode() : JSON.readTree(record.value());
        stopped.remove(table);
        notComplete.remove(table);
        if (value.path("state").asText().equals(STOPPED)) {
          stopped.put(table, value.path("reason").asText());
        } else if (value.path("state").asText().equals(SNAPSHOTTING)) {
          notComplete.add(table);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("__rowlog_status holds a record that is no JSON", e);
    }
    return new TableNotes(stopped, notComplete);
  }
}
