package dev.rowlog.connector.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.mirror.CleanRequest;
import dev.rowlog.connector.mirror.MirrorStatus;
import dev.rowlog.connector.serve.http.ApiFile;
import dev.rowlog.connector.serve.http.StatusJson;
import dev.rowlog.engine.disk.Disk;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Asks the process that holds a data directory. One thread. */
final class ApiClient {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final int NOT_FOUND = 404;
  private static final int BAD_REQUEST = 400;
  private static final int TIMED_OUT = 504;

  private final ApiFile api;
  private final ObjectMapper mapper = new ObjectMapper();
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT).build();

  private ApiClient(ApiFile api) {
    this.api = api;
  }

  /** Empty where no process runs on the directory, or one that serves no HTTP. */
  static Optional<ApiClient> of(Disk disk, Path dataDirectory) {
    return ApiFile.read(disk, dataDirectory).map(ApiClient::new);
  }

  MirrorStatus status() {
    return StatusJson.parse(parsed(checked(send(request("/api/v1/status").GET(), ANSWER)).body()));
  }

  /** Empty where the mirror is ready, else why not. */
  Optional<String> notReady() {
    HttpResponse<String> response = send(request("/ready").GET(), ANSWER);
    return response.statusCode() == 200 ? Optional.empty() : Optional.of(response.body().strip());
  }

  /**
   * Waits until everything that the source committed up to {@code lsn} is committed in the logs.
   *
   * @throws CommandFailure where the time ran out first
   */
  Lsn await(Lsn lsn, Duration timeout) {
    String path = "/api/v1/wait?lsn=" + lsn + "&timeout=" + timeout.toSeconds();
    HttpResponse<String> response = checked(send(request(path).GET(), timeout.plus(ANSWER)));
    return Lsn.parse(parsed(response.body()).path("committed_lsn").asText());
  }

  /** An array with one object a log. */
  JsonNode clean(CleanRequest clean) {
    ObjectNode body = mapper.createObjectNode().put("roll", clean.roll());
    clean.topics().forEach(body.putArray("topics")::add);
    clean.set().forEach(body.putObject("set")::put);
    HttpRequest.Builder request = request("/api/v1/clean").POST(HttpRequest.BodyPublishers.ofString(body.toString()));
    // A pass takes as long as it takes.
    return parsed(checked(send(request, null)).body());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(api.address() + path)).header("Authorization", "Bearer " + api.token());
  }

  private HttpResponse<String> send(HttpRequest.Builder request, Duration timeout) {
    try {
      return client.send((timeout == null ? request : request.timeout(timeout)).build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.RUNTIME, "the process at " + api + " does not answer: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(ExitCode.RUNTIME, "interrupted", e);
    }
  }

  private HttpResponse<String> checked(HttpResponse<String> response) {
    if (response.statusCode() == 200) {
      return response;
    }
    String sentence;
    try {
      sentence = mapper.readTree(response.body()).path("error").asText(response.body());
    } catch (JsonProcessingException e) {
      sentence = response.body();
    }
    int code = response.statusCode() == BAD_REQUEST || response.statusCode() == NOT_FOUND ? ExitCode.USAGE : ExitCode.RUNTIME;
    String about = response.statusCode() == TIMED_OUT || code == ExitCode.USAGE ? "" : api + " answered " + response.statusCode() + ": ";
    throw new CommandFailure(code, about + sentence.strip());
  }

  private JsonNode parsed(String body) {
    try {
      return mapper.readTree(body);
    } catch (JsonProcessingException e) {
      throw new CommandFailure(ExitCode.RUNTIME, api + " answered no JSON: " + e.getOriginalMessage(), e);
    }
  }
}
