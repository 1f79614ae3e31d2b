package dev.rowlog.connector.replay.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlog.connector.replay.spi.TargetException;

/** What a bulk's answer means. Pure. */
final class BulkAnswer {
  private static final int CONFLICT = 409;
  private static final int NOT_FOUND = 404;

  private BulkAnswer() {}

  /**
   * Every action is done, or was before: a conflict says that this version or a newer one is there, a delete that finds nothing has
   * nothing to do.
   *
   * @throws TargetException for the first action that is not
   */
  static void check(JsonNode answer, String engine) {
    if (!answer.path("errors").asBoolean(true)) {
      return;
    }
    if (!answer.path("items").isArray()) {
      throw TargetException.unavailable(engine + " answered a bulk with something else: " + answer, null);
    }
    for (JsonNode item : answer.path("items")) {
      JsonNode action = item.properties().iterator().next().getValue();
      boolean isDelete = item.has("delete");
      int status = action.path("status").intValue();
      boolean isDone = status / 100 == 2 || status == CONFLICT
          || isDelete && status == NOT_FOUND && !action.has("error");
      if (isDone) {
        continue;
      }
      String reason = action.path("error").path("reason").asText(action.path("error").toString())
          + cause(action.path("error").path("caused_by"));
      if (SearchClient.isPassing(status)) {
        throw TargetException.unavailable(engine + " answers a bulk with " + status + ": " + reason, null);
      }
      throw TargetException
          .refused(engine + " refuses the document " + action.path("_id").asText() + " with " + status + ": " + reason
              + "; change the index template or leave the table out", null);
    }
  }

  private static String cause(JsonNode causedBy) {
    return causedBy.path("reason").isMissingNode() ? "" : ": " + causedBy.path("reason").asText();
  }
}
