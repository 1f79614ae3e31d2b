package dev.rowlog.connector.table;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlog.connector.catalog.Column;
import dev.rowlog.connector.catalog.TableSchema;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.engine.record.Record;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One version of a table's definition as {@code __rowlog_schemas} keeps it: enough to create the table again. Key:
 * table and version.
 *
 * @param json the record's value
 */
public record SchemaVersion(TableId table, int version, JsonNode json) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The table as the catalog gives it now, with the labels of its enum types.
   *
   * @param topic where its records go
   */
  public static SchemaVersion read(Connection connection, TableSchema schema, String topic) throws SQLException {
    return of(schema, EnumLabels.read(connection, schema.oid()), topic);
  }

  static SchemaVersion of(TableSchema schema, EnumLabels labels, String topic) {
    ObjectNode json = JSON.createObjectNode();
    json.put("schema", schema.id().schema());
    json.put("table", schema.id().table());
    json.put("version", schema.version());
    json.put("topic", topic);
    json.put("oid", schema.oid());
    json.put("replica_identity", String.valueOf(schema.replicaIdentity()));
    ArrayNode key = json.putArray("key");
    schema.keyColumns().forEach(key::add);
    ArrayNode columns = json.putArray("columns");
    for (Column column : schema.columns()) {
      ObjectNode entry = columns.addObject();
      entry.put("name", column.name());
      entry.put("type", column.typeName());
      entry.put("not_null", column.notNull());
      entry.put("generated", column.generated() == 0 ? "" : String.valueOf(column.generated()));
      List<String> enumLabels = labels.byColumn().get(column.name());
      if (enumLabels != null) {
        enumLabels.forEach(entry.putArray("enum")::add);
      }
    }
    return new SchemaVersion(schema.id(), schema.version(), json);
  }

  static SchemaVersion parse(Record record) {
    try {
      JsonNode json = JSON.readTree(record.value());
      return new SchemaVersion(new TableId(json.required("schema").textValue(), json.required("table").textValue()),
          json.required("version").intValue(), json);
    } catch (IOException e) {
      throw new UncheckedIOException(
          SchemaLog.TOPIC + " holds a record at offset " + record.offset() + " that is no JSON", e);
    }
  }

  /** Where the table's records go: fixed by its first snapshot, whatever tables are named beside it later. */
  public String topic() {
    return json.required("topic").textValue();
  }

  Record toRecord(long timestampMs) {
    ObjectNode key = JSON.createObjectNode();
    key.put("schema", table.schema());
    key.put("table", table.table());
    key.put("version", version);
    try {
      return new Record(-1, timestampMs, JSON.writeValueAsBytes(key), JSON.writeValueAsBytes(json), List.of());
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What makes rows written under this version differ from the same rows under {@code now}, or the two different
   * tables, in words; empty where nothing does. Nullability, replica identity and additional enum labels change no
   * row.
   */
  public Optional<String> differenceTo(SchemaVersion now) {
    if (json.required("oid").longValue() != now.json.required("oid").longValue()) {
      return Optional.of("the table was dropped and created again");
    }
    if (!json.required("key").equals(now.json.required("key"))) {
      return Optional.of("its key was " + json.get("key") + " and is " + now.json.get("key"));
    }
    JsonNode before = json.required("columns");
    JsonNode after = now.json.required("columns");
    for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
      Optional<String> difference = difference(before.path(i), after.path(i));
      if (difference.isPresent()) {
        return difference;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> difference(JsonNode before, JsonNode after) {
    if (!describe(before).equals(describe(after))) {
      return Optional.of("it had " + describe(before) + " and has " + describe(after) + " in its place");
    }
    Set<String> labels = new HashSet<>();
    after.path("enum").forEach(label -> labels.add(label.textValue()));
    for (JsonNode label : before.path("enum")) {
      if (!labels.contains(label.textValue())) {
        return Optional
            .of("the label '" + label.textValue() + "' of the enum type of column " + before.get("name").textValue()
                + " was renamed");
      }
    }
    return Optional.empty();
  }

  private static String describe(JsonNode column) {
    return column.isMissingNode()
        ? "no column"
        : "column " + column.get("name").textValue() + " " + column.get("type").textValue()
            + (column.get("generated").textValue().isEmpty() ? "" : " generated");
  }
}
