package dev.rowlog.connector.serve.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.metrics.PrometheusText;
import dev.rowlog.connector.mirror.CleanRequest;
import dev.rowlog.connector.mirror.CleaningResult;
import dev.rowlog.connector.mirror.Mirror;
import dev.rowlog.engine.error.InvalidConfigException;
import dev.rowlog.engine.error.UnknownTopicException;
import io.javalin.http.ContentType;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** What each request asks of the mirror, and how the answer is written. Any thread. */
final class ApiRoutes {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration DEFAULT_WAIT = Duration.ofSeconds(30);
  private static final long MAX_WAIT_SECONDS = 3600;
  /** Fewer than the server has threads, so that probes are always answered. */
  private static final int MAX_WAITING = 12;

  private final Mirror mirror;
  private final Semaphore waiting = new Semaphore(MAX_WAITING);
  private final Semaphore cleaning = new Semaphore(1);

  ApiRoutes(Mirror mirror) {
    this.mirror = mirror;
  }

  void live(Context context) {
    context.result("live\n");
  }

  void ready(Context context) {
    Optional<String> reason = mirror.notReady();
    context.status(reason.isEmpty() ? 200 : 503).result(reason.orElse("ready") + "\n");
  }

  void metrics(Context context) {
    context.contentType(PrometheusText.CONTENT_TYPE).result(mirror.metrics());
  }

  void status(Context context) {
    answer(context, StatusJson.of(mirror.status()));
  }

  void await(Context context) throws InterruptedException {
    Lsn lsn = lsn(context.queryParam("lsn"));
    Duration timeout = timeout(context.queryParam("timeout"));
    if (!waiting.tryAcquire()) {
      throw new ApiException(503, MAX_WAITING + " requests wait already: come again later");
    }
    try {
      ensureWritten(lsn);
      if (!mirror.awaitCommitted(lsn, timeout)) {
        throw new ApiException(504, lsn + " was not committed within " + timeout.toSeconds() + " s; committed is "
            + mirror.status().committedLsn());
      }
      answer(context, JsonNodeFactory.instance.objectNode()
          .put("lsn", lsn.toString())
          .put("committed_lsn", String.valueOf(mirror.status().committedLsn())));
    } catch (IllegalStateException e) {
      throw new ApiException(503, e.getMessage());
    } finally {
      waiting.release();
    }
  }

  /** A position that the source has not come to may never be committed: nobody has read his own write there. */
  private void ensureWritten(Lsn lsn) {
    Lsn committed = mirror.status().committedLsn();
    if (committed != null && lsn.isAtOrBelow(committed)) {
      return;
    }
    Lsn written;
    try {
      written = mirror.currentLsn();
    } catch (IllegalStateException e) {
      // A source that is away for the moment: the wait tells how that ends.
      return;
    }
    if (!lsn.isAtOrBelow(written)) {
      throw new ApiException(400, "lsn " + lsn + " lies beyond what the database has written, " + written
          + ": give what pg_current_wal_lsn() answered on it");
    }
  }

  void clean(Context context) {
    CleanRequest request = cleanRequest(context.body());
    if (!cleaning.tryAcquire()) {
      throw new ApiException(409, "another requested pass is running: wait for it");
    }
    try {
      ArrayNode logs = JSON.createArrayNode();
      for (CleaningResult cleaned : mirror.clean(request)) {
        logs.add(CleaningJson.of(cleaned));
      }
      answer(context, logs);
    } catch (UnknownTopicException e) {
      throw new ApiException(404, e.getMessage());
    } catch (InvalidConfigException e) {
      throw new ApiException(400, e.getMessage());
    } finally {
      cleaning.release();
    }
  }

  static CleanRequest cleanRequest(String body) {
    try {
      JsonNode json = body.isBlank() ? JSON.createObjectNode() : JSON.readTree(body);
      if (!json.isObject()) {
        throw new ApiException(400, "the body must be a JSON object with topics, roll and set");
      }
      List<String> topics = new ArrayList<>();
      json.path("topics").forEach(topic -> topics.add(topic.asText()));
      Map<String, String> set = new LinkedHashMap<>();
      json.path("set").properties().forEach(entry -> set.put(entry.getKey(), entry.getValue().asText()));
      return new CleanRequest(topics, json.path("roll").asBoolean(false), set);
    } catch (JsonProcessingException e) {
      throw new ApiException(400, "the body is no JSON: " + e.getOriginalMessage());
    }
  }

  private static Lsn lsn(String text) {
    if (text == null) {
      throw new ApiException(400, "lsn is missing: /api/v1/wait?lsn=X/Y&timeout=seconds");
    }
    try {
      return Lsn.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ApiException(400, e.getMessage());
    }
  }

  private static Duration timeout(String text) {
    if (text == null) {
      return DEFAULT_WAIT;
    }
    if (!text.matches("[0-9]{1,5}") || Long.parseLong(text) > MAX_WAIT_SECONDS) {
      throw new ApiException(400, "timeout is '" + text + "', expected whole seconds from 0 to " + MAX_WAIT_SECONDS);
    }
    return Duration.ofSeconds(Long.parseLong(text));
  }

  private static void answer(Context context, JsonNode json) {
    context.contentType(ContentType.APPLICATION_JSON).result(json(json));
  }

  /** With a line feed, for people with curl. */
  static String json(JsonNode json) {
    return json + "\n";
  }

  static String json(ObjectNode json) {
    return json((JsonNode) json);
  }
}
