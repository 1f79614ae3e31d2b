package dev.rowlog.connector.table;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlog.connector.catalog.Column;
import dev.rowlog.connector.catalog.StoredPart;
import dev.rowlog.connector.catalog.TableSchema;
import dev.rowlog.connector.catalog.TypeShape;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.engine.record.Record;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One version of a table's definition as {@code __rowlog_schemas} keeps it: enough to create the table again, and to tell at the next look what was
 * changed without an event. Key: table and version.
 *
 * @param json the record's value
 */
public record SchemaVersion(TableId table, int version, JsonNode json) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * What a definition is read together with.
   *
   * @param topic where its records go
   * @param lsn where the source wrote before it was read
   * @param xid {@code StoredParts.oldestRunning} when it was read
   * @param publication {@code Publication.mark} of the table
   * @param alteration {@code Publication.alteration} of the table
   * @param parts relations that hold its rows
   */
  public record Context(
      String topic, Lsn lsn, long xid, String publication, String alteration, List<StoredPart> parts) {}

  static SchemaVersion of(TableSchema schema, Context context) {
    ObjectNode json = JSON.createObjectNode();
    json.put("schema", schema.id().schema());
    json.put("table", schema.id().table());
    json.put("version", schema.version());
    json.put("topic", context.topic);
    json.put("oid", schema.oid());
    json.put("replica_identity", String.valueOf(schema.replicaIdentity()));
    ArrayNode key = json.putArray("key");
    schema.keyColumns().forEach(key::add);
    ArrayNode columns = json.putArray("columns");
    for (Column column : schema.columns()) {
      ObjectNode entry = columns.addObject();
      entry.put("name", column.name());
      entry.put("number", column.number());
      entry.put("type", column.typeName());
      entry.put("not_null", column.notNull());
      entry.put("generated", column.generated() == 0 ? "" : String.valueOf(column.generated()));
      write(entry.putObject("shape"), column.shape());
    }
    json.put("lsn", context.lsn.toString());
    json.put("xid", context.xid);
    json.put("publication", context.publication);
    json.put("publication_altered", context.alteration);
    ArrayNode parts = json.putArray("parts");
    for (StoredPart part : context.parts) {
      ObjectNode entry = parts.addObject();
      entry.put("schema", part.id().schema());
      entry.put("table", part.id().table());
      entry.put("oid", part.oid());
      entry.put("file", part.file());
      entry.put("attached", part.attached());
      entry.put("columns", part.columns());
    }
    return new SchemaVersion(schema.id(), schema.version(), asRead(json));
  }

  /** The classes of its numbers as if it came back from its record: they take part in a comparison. */
  private static JsonNode asRead(ObjectNode json) {
    try {
      return JSON.readTree(JSON.writeValueAsBytes(json));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Empty lists are left out: most types are no more than their name. */
  private static void write(ObjectNode json, TypeShape shape) {
    json.put("oid", shape.oid());
    json.put("name", shape.name());
    if (shape.jsonCast() != 0) {
      json.put("json_cast", shape.jsonCast());
    }
    if (!shape.labels().isEmpty()) {
      shape.labels().forEach(json.putArray("labels")::add);
    }
    if (!shape.attributes().isEmpty()) {
      ArrayNode attributes = json.putArray("attributes");
      for (TypeShape.Attribute attribute : shape.attributes()) {
        ObjectNode entry = attributes.addObject();
        entry.put("name", attribute.name());
        entry.put("number", attribute.number());
        write(entry.putObject("shape"), attribute.shape());
      }
    }
    shape.element().forEach(element -> write(json.putObject("element"), element));
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

  /** What the source had written before this was read: what it shows may be newer. */
  public Lsn lsn() {
    return Lsn.parse(json.required("lsn").textValue());
  }

  /** Transactions with a lower id, of 32 bits, were over when this was read. */
  public long xid() {
    return json.required("xid").longValue();
  }

  /** True where nothing at all differs but when it was read. */
  public boolean isSameAs(SchemaVersion other) {
    return timeless().equals(other.timeless());
  }

  private JsonNode timeless() {
    return ((ObjectNode) json.deepCopy()).without(List.of("lsn", "xid"));
  }

  List<StoredPart> parts() {
    List<StoredPart> parts = new ArrayList<>();
    for (JsonNode part : json.required("parts")) {
      TableId id = new TableId(part.required("schema").textValue(), part.required("table").textValue());
      parts.add(new StoredPart(id, part.required("oid").longValue(), part.required("file").longValue(),
          part.required("attached").textValue(), part.required("columns").textValue()));
    }
    return parts;
  }

  /** As a record of {@code __rowlog_schemas}; it replaces an earlier one of the same version. */
  public Record toRecord(long timestampMs) {
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
   * What makes rows written under this version differ from the same rows under {@code now}, or the two different tables, in words; empty where
   * nothing does. What happened to the stored rows is told by {@link StorageChange}.
   */
  public Optional<String> differenceTo(SchemaVersion now) {
    return SchemaDifference.between(json, now.json);
  }

  /** What happened to the stored rows since this was read. */
  public StorageChange storageChangeTo(SchemaVersion now) {
    return StorageChange.between(parts(), now.parts());
  }
}
