package dev.rowlog.connector.replay.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlog.connector.replay.spi.TargetException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/**
 * The requests that a target makes, with their answers as JSON. One thread.
 *
 * <p>A node that does not answer is left for the next one, which the caller's next attempt asks.
 */
final class SearchClient {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);
  private static final int NOT_FOUND = 404;

  private final SearchAccess access;
  private final HttpClient client;
  private int node;

  private SearchClient(SearchAccess access, HttpClient client) {
    this.access = access;
    this.client = client;
  }

  static SearchClient of(SearchAccess access) {
    return new SearchClient(access,
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_TIMEOUT).build());
  }

  /**
   * The answer.
   *
   * @param body null for none
   * @throws TargetException where it is an error
   */
  JsonNode ask(String method, String path, JsonNode body) {
    byte[] bytes = body == null ? null : body.toString().getBytes(StandardCharsets.UTF_8);
    return send(method, path, bytes, "application/json")
        .orElseThrow(() -> refused(method + " " + path, "404 not found", null));
  }

  /** The answer; empty where there is no such thing. */
  Optional<JsonNode> find(String path) {
    return send("GET", path, null, "");
  }

  boolean exists(String path) {
    return send("HEAD", path, null, "").isPresent();
  }

  /** Sends a bulk of actions and documents. */
  JsonNode bulk(byte[] lines) {
    String path = "/_bulk?filter_path=errors,items.*.status,items.*.error,items.*._id";
    return send("POST", path, lines, "application/x-ndjson")
        .orElseThrow(() -> refused("a bulk", "404 not found", null));
  }

  private Optional<JsonNode> send(String method, String path, byte[] body, String contentType) {
    URI at = URI.create(access.nodes().get(node).toString().replaceFirst("/+$", "") + path);
    HttpRequest.Builder request = HttpRequest.newBuilder(at).timeout(ANSWER_TIMEOUT)
        .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    if (body != null) {
      request.header("Content-Type", contentType);
    }
    if (access.user() != null) {
      String pair = access.user() + ":" + access.password();
      request.header("Authorization",
          "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
    }
    try {
      HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      return answer(method + " " + path.replaceFirst("\\?.*", ""), response);
    } catch (IOException e) {
      node = (node + 1) % access.nodes().size();
      throw TargetException.unavailable("the search engine at " + access + " does not answer: " + reason(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw TargetException.unavailable("interrupted", e);
    }
  }

  /** A refused connection comes without a word of its own. */
  private static String reason(IOException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private Optional<JsonNode> answer(String what, HttpResponse<byte[]> response) {
    int status = response.statusCode();
    if (status == NOT_FOUND) {
      return Optional.empty();
    }
    if (status / 100 == 2) {
      return Optional.of(json(response.body()).orElseThrow(
          () -> TargetException.unavailable("the search engine at " + access + " answers " + what + " with no JSON",
              null)));
    }
    JsonNode problem = json(response.body()).orElse(JSON.createObjectNode());
    String reason = problem.path("error").path("reason").asText(problem.toString());
    throw isPassing(status)
        ? TargetException.unavailable(
            "the search engine at " + access + " answers " + what + " with " + status + ": " + reason, null)
        : refused(what, status + ": " + reason, null);
  }

  /** Overloaded, starting, behind a proxy that cannot reach it, or changed by somebody else meanwhile. */
  static boolean isPassing(int status) {
    return status == 408 || status == 409 || status == 429 || status == 502 || status == 503 || status == 504;
  }

  private TargetException refused(String what, String answer, Exception cause) {
    return TargetException.refused("the search engine at " + access + " refuses " + what + " with " + answer, cause);
  }

  private static Optional<JsonNode> json(byte[] body) {
    if (body.length == 0) {
      return Optional.of(JSON.createObjectNode());
    }
    try {
      return Optional.of(JSON.readTree(body));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
