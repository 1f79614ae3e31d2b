package dev.rowlog.connector.replay.spi;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.table.SchemaVersion;
import dev.rowlog.engine.log.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A mirrored table as its newest definition gives it.
 *
 * @param topicId what tells its log from another one of that name
 * @param keyColumns in the key's order
 */
public record ReplayTable(
    TableId id, TopicPartition log, String topicId, List<ReplayColumn> columns, List<String> keyColumns) {
  public ReplayTable {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(log, "log");
    Objects.requireNonNull(topicId, "topicId");
    columns = List.copyOf(columns);
    keyColumns = List.copyOf(keyColumns);
  }

  public static ReplayTable of(SchemaVersion version, String topicId) {
    List<ReplayColumn> columns = new ArrayList<>();
    for (JsonNode column : version.json().required("columns")) {
      columns.add(new ReplayColumn(column.required("name").textValue(), column.required("type").textValue(),
          column.has("enum")));
    }
    List<String> key = new ArrayList<>();
    version.json().required("key").forEach(name -> key.add(name.textValue()));
    return new ReplayTable(version.table(), TopicPartition.of(version.topic()), topicId, columns, key);
  }

  public String topic() {
    return log.topic();
  }
}
