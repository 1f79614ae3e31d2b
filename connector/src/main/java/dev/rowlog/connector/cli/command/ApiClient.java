package dev.rowlog.connector.cli.command;

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
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Asks the process that holds a data directory, over plain HTTP on this machine: the JDK's old client, which starts
 * without TLS. One thread.
 */
public final class ApiClient {
  private static final int CONNECT_MS = 10_000;
  /** Long for an answer that is ready at once: a process that takes longer is stopped, or its machine overloaded. */
  private static final Duration ANSWER = Duration.ofSeconds(10);
  /** A pass takes as long as it takes. */
  private static final Duration FOR_EVER = Duration.ZERO;

  private final ApiFile api;
  private final ObjectMapper mapper = new ObjectMapper();

  private ApiClient(ApiFile api) {
    this.api = api;
  }

  /** Empty where no process runs on the directory, or one that serves no HTTP. */
  public static Optional<ApiClient> of(Disk disk, Path dataDirectory) {
    return ApiFile.read(disk, dataDirectory).map(ApiClient::new);
  }

  public MirrorStatus status() {
    return StatusJson.parse(parsed(checked(ask("/api/v1/status", null, ANSWER)).body()));
  }

  /** Empty where the mirror is ready, else why not. */
  public Optional<String> notReady() {
    Answer answer = ask("/ready", null, ANSWER);
    return answer.status() == HttpURLConnection.HTTP_OK ? Optional.empty() : Optional.of(answer.body().strip());
  }

  /**
   * Waits until everything that the source committed up to {@code lsn} is committed in the logs.
   *
   * @throws CommandFailure where the time ran out first
   */
  public Lsn await(Lsn lsn, Duration timeout) {
    requireAwake();
    String path = "/api/v1/wait?lsn=" + lsn + "&timeout=" + timeout.toSeconds();
    return Lsn.parse(parsed(checked(ask(path, null, timeout.plus(ANSWER))).body()).path("committed_lsn").asText());
  }

  /** An array with one object a log. */
  public JsonNode clean(CleanRequest clean) {
    requireAwake();
    ObjectNode body = mapper.createObjectNode().put("roll", clean.roll());
    clean.topics().forEach(body.putArray("topics")::add);
    clean.set().forEach(body.putObject("set")::put);
    return parsed(checked(ask("/api/v1/clean", body.toString(), FOR_EVER)).body());
  }

  /** Before a request that may take long: a stopped process would keep us waiting for all of that time. */
  private void requireAwake() {
    ask("/live", null, ANSWER);
  }

  private record Answer(int status, String body) {}

  /**
   * @param body of a POST; null for a GET
   */
  private Answer ask(String path, String body, Duration timeout) {
    try {
      HttpURLConnection connection = (HttpURLConnection) URI.create(api.address() + path).toURL()
          .openConnection(Proxy.NO_PROXY);
      connection.setConnectTimeout(CONNECT_MS);
      connection.setReadTimeout((int) timeout.toMillis());
      connection.setRequestProperty("Authorization", "Bearer " + api.token());
      if (body != null) {
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        try (OutputStream out = connection.getOutputStream()) {
          out.write(body.getBytes(StandardCharsets.UTF_8));
        }
      }
      int status = connection.getResponseCode();
      try (InputStream in = status < HttpURLConnection.HTTP_BAD_REQUEST
          ? connection.getInputStream()
          : connection.getErrorStream()) {
        return new Answer(status, in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    } catch (SocketTimeoutException e) {
      throw new CommandFailure(ExitCode.RUNTIME, "the process at " + api + " does not answer within "
          + timeout.toSeconds() + " s: it is stopped (SIGSTOP, a debugger), or its machine is overloaded", e);
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.RUNTIME, "the process at " + api + " does not answer: " + e, e);
    }
  }

  private Answer checked(Answer answer) {
    if (answer.status() == HttpURLConnection.HTTP_OK) {
      return answer;
    }
    String sentence;
    try {
      sentence = mapper.readTree(answer.body()).path("error").asText(answer.body());
    } catch (JsonProcessingException e) {
      sentence = answer.body();
    }
    boolean asked = answer.status() == HttpURLConnection.HTTP_BAD_REQUEST
        || answer.status() == HttpURLConnection.HTTP_NOT_FOUND;
    boolean timedOut = answer.status() == HttpURLConnection.HTTP_GATEWAY_TIMEOUT;
    throw new CommandFailure(asked ? ExitCode.USAGE : ExitCode.RUNTIME,
        (asked || timedOut ? "" : api + " answered " + answer.status() + ": ") + sentence.strip());
  }

  private JsonNode parsed(String body) {
    try {
      return mapper.readTree(body);
    } catch (JsonProcessingException e) {
      throw new CommandFailure(ExitCode.RUNTIME, api + " answered no JSON: " + e.getOriginalMessage(), e);
    }
  }
}
