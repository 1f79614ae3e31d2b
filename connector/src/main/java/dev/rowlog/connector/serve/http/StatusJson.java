package dev.rowlog.connector.serve.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlog.connector.mirror.MirrorStatus;

/** {@link MirrorStatus} as {@code GET /api/v1/status} gives it, and back. Pure. */
public final class StatusJson {
  private StatusJson() {}

  public static ObjectNode of(MirrorStatus status) {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * @throws IllegalArgumentException where a field is missing or malformed
   */
  public static MirrorStatus parse(JsonNode json) {
    throw new UnsupportedOperationException("skeleton");
  }
}
