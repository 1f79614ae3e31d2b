package dev.rowlog.connector.serve.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.mirror.MirrorState;
import dev.rowlog.connector.mirror.MirrorStatus;
import dev.rowlog.connector.mirror.TableState;
import dev.rowlog.connector.mirror.TableStatus;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@link MirrorStatus} as {@code GET /api/v1/status} gives it, and back. Pure. */
public final class StatusJson {
  private StatusJson() {}

  /** Every field is there, null where there is nothing to say. */
  public static ObjectNode of(MirrorStatus status) {
    ObjectNode json = JsonNodeFactory.instance.objectNode()
        .put("state", status.state().name().toLowerCase(Locale.ROOT))
        .put("state_since", text(status.stateSince()))
        .put("started_at", text(status.startedAt()))
        .put("database", status.database())
        .put("system_identifier", status.systemIdentifier())
        .put("timeline", status.timeline())
        .put("slot", status.slot())
        .put("publication", status.publication())
        .put("committed_lsn", text(status.committedLsn()))
        .put("last_commit_at", text(status.lastCommitTime()))
        .put("lag_ms", status.lag() == null ? null : Long.valueOf(status.lag().toMillis()))
        .put("restarts", status.restarts())
        .put("last_error", status.lastError())
        .put("last_error_at", text(status.lastErrorAt()));
    ArrayNode tables = json.putArray("tables");
    status.tables().forEach(table -> tables.add(of(table)));
    return json;
  }

  /**
   * @throws IllegalArgumentException where a field is missing or malformed
   */
  public static MirrorStatus parse(JsonNode json) {
    try {
      List<TableStatus> tables = new ArrayList<>();
      json.required("tables").forEach(table -> tables.add(table(table)));
      JsonNode lag = json.required("lag_ms");
      return new MirrorStatus(
          MirrorState.valueOf(state(json)),
          instant(json, "state_since"),
          instant(json, "started_at"),
          json.required("database").textValue(),
          json.required("system_identifier").textValue(),
          json.required("timeline").intValue(),
          json.required("slot").textValue(),
          json.required("publication").textValue(),
          json.required("committed_lsn").isNull() ? null : Lsn.parse(json.get("committed_lsn").textValue()),
          instant(json, "last_commit_at"),
          lag.isNull() ? null : Duration.ofMillis(lag.longValue()),
          json.required("restarts").intValue(),
          json.required("last_error").textValue(),
          instant(json, "last_error_at"),
          tables);
    } catch (NullPointerException | DateTimeException e) {
      throw new IllegalArgumentException("not a status: " + e.getMessage(), e);
    }
  }

  private static ObjectNode of(TableStatus table) {
    return JsonNodeFactory.instance.objectNode()
        .put("schema", table.table().schema())
        .put("table", table.table().table())
        .put("topic", table.topic())
        .put("state", table.state().name().toLowerCase(Locale.ROOT))
        .put("end_offset", table.endOffset())
        .put("size_bytes", table.sizeBytes())
        .put("snapshot_rows", table.snapshotRows())
        .put("snapshot_rows_total", table.snapshotRowsTotal())
        .put("reason", table.reason());
  }

  private static TableStatus table(JsonNode json) {
    return new TableStatus(
        new TableId(json.required("schema").textValue(), json.required("table").textValue()),
        json.required("topic").textValue(),
        TableState.valueOf(state(json)),
        json.required("end_offset").longValue(),
        json.required("size_bytes").longValue(),
        json.required("snapshot_rows").longValue(),
        json.required("snapshot_rows_total").longValue(),
        json.required("reason").textValue());
  }

  private static String state(JsonNode json) {
    return json.required("state").textValue().toUpperCase(Locale.ROOT);
  }

  private static Instant instant(JsonNode json, String field) {
    JsonNode node = json.required(field);
    return node.isNull() ? null : Instant.parse(node.textValue());
  }

  private static String text(Object value) {
    return value == null ? null : value.toString();
  }
}
