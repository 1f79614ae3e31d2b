package dev.rowlog.connector.replay.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.TreeMap;

/** What a reader of the search engine gets. */
final class SearchReads {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PAGE = 5_000;

  private final HttpClient client = HttpClient.newHttpClient();
  private final String url;

  SearchReads(int port) {
    this.url = "http://127.0.0.1:" + port;
  }

  JsonNode ask(String method, String path, String body) {
    try {
      HttpRequest request = HttpRequest.newBuilder(URI.create(url + path)).header("Content-Type", "application/json")
          .method(method,
              body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body))
          .build();
      return JSON.readTree(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
    } catch (IOException e) {
      throw new AssertionError(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Every document's source by id. */
  Map<String, JsonNode> documents(String index) {
    ask("POST", "/" + index + "/_refresh", null);
    Map<String, JsonNode> found = new TreeMap<>();
    JsonNode page = ask("POST", "/" + index + "/_search?scroll=1m", "{\"size\":" + PAGE + ",\"sort\":[\"_doc\"]}");
    while (page.path("hits").path("hits").size() > 0) {
      page.path("hits").path("hits").forEach(hit -> found.put(hit.path("_id").asText(), hit.path("_source")));
      page = ask("POST", "/_search/scroll",
          "{\"scroll\":\"1m\",\"scroll_id\":\"" + page.path("_scroll_id").asText() + "\"}");
    }
    return found;
  }
}
