package dev.rowlog.connector.change;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Where the mirror stands in its source: what each commit stores beside the ends (D6). Encoded as one JSON object, whose unknown fields are
 * ignored so that an older version can read a newer one's commits.
 *
 * @param systemIdentifier of the database cluster (pg_control_system)
 * @param timeline of the write-ahead log
 * @param database the database's name
 * @param slot name of the replication slot
 * @param phase how far the first snapshot is
 * @param lsn INTENT: null; SNAPSHOT: the slot's consistent point; STREAMING: end LSN of the last committed transaction, or of a later message
 * @param commitTimestampMicros commit time of the last committed transaction, microseconds since the epoch; 0 before the first
 */
public record SourcePosition(
    String systemIdentifier,
    int timeline,
    String database,
    String slot,
    Phase phase,
    Lsn lsn,
    long commitTimestampMicros) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What a restart has to do follows from this. */
  public enum Phase {
    /** The slot may or may not have been made: drop it, make it again. */
    INTENT,
    /** The slot is there, the first snapshot is not complete: start it again. */
    SNAPSHOT,
    /** The slot goes on from {@link SourcePosition#lsn}. */
    STREAMING
  }

  public SourcePosition {
    Objects.requireNonNull(systemIdentifier, "systemIdentifier");
    Objects.requireNonNull(database, "database");
    Objects.requireNonNull(slot, "slot");
    if ((lsn == null) != (phase == Phase.INTENT)) {
      throw new IllegalArgumentException("phase " + phase + " with LSN " + lsn + ": only an intent has none");
    }
  }

  /** The same source, one commit further. */
  public SourcePosition at(Lsn endLsn, long commitMicros) {
    return new SourcePosition(systemIdentifier, timeline, database, slot, Phase.STREAMING, endLsn, commitMicros);
  }

  /** UTF-8 JSON. */
  public byte[] toBytes() {
    ObjectNode json = JSON.createObjectNode();
    json.put("system_identifier", systemIdentifier);
    json.put("timeline", timeline);
    json.put("database", database);
    json.put("slot", slot);
    json.put("phase", phase.name());
    if (lsn != null) {
      json.put("lsn", lsn.toString());
    }
    json.put("commit_ts_us", commitTimestampMicros);
    try {
      return JSON.writeValueAsBytes(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a source position is plain JSON", e);
    }
  }

  /**
   * @throws IllegalArgumentException where the bytes are not a position
   */
  public static SourcePosition parse(byte[] json) {
    try {
      JsonNode node = JSON.readTree(json);
      JsonNode lsn = node.get("lsn");
      return new SourcePosition(required(node, "system_identifier").asText(), required(node, "timeline").intValue(),
          required(node, "database").asText(), required(node, "slot").asText(),
          Phase.valueOf(required(node, "phase").asText()), lsn == null ? null : Lsn.parse(lsn.asText()),
          required(node, "commit_ts_us").longValue());
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException("not a source position: " + new String(json, StandardCharsets.UTF_8), e);
    }
  }

  private static JsonNode required(JsonNode node, String field) {
    JsonNode value = node.get(field);
    if (value == null || value.isNull()) {
      throw new IllegalArgumentException("field " + field + " is missing");
    }
    return value;
  }
}
