package dev.rowlog.connector.serve.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.mirror.CleanRequest;
import dev.rowlog.connector.mirror.CleanedLog;
import dev.rowlog.connector.mirror.CleaningResult;
import dev.rowlog.connector.mirror.Mirror;
import dev.rowlog.connector.mirror.MirrorStatus;
import dev.rowlog.engine.cleaner.CleaningReport;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.error.InvalidConfigException;
import dev.rowlog.engine.error.UnknownTopicException;
import dev.rowlog.engine.log.TopicPartition;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpServerTest {
  private static final String TOKEN = "s3cret";

  @TempDir
  Path directory;

  private final HttpClient client = HttpClient.newHttpClient();
  private final KnownMirror mirror = new KnownMirror();
  private HttpServer server;

  /** Answers what the test set. */
  private static final class KnownMirror implements Mirror {
    private Optional<String> notReady = Optional.empty();
    private boolean committed = true;
    private RuntimeException failure;
    private CleanRequest cleaned;
    private Duration waited;

    @Override
    public MirrorStatus status() {
      return StatusJsonTest.STATUS;
    }

    @Override
    public String metrics() {
      return "# TYPE rowlog_state gauge\nrowlog_state 1\n";
    }

    @Override
    public Optional<String> notReady() {
      return notReady;
    }

    @Override
    public boolean awaitCommitted(Lsn lsn, Duration timeout) {
      waited = timeout;
      if (failure != null) {
        throw failure;
      }
      return committed;
    }

    @Override
    public Lsn currentLsn() {
      return Lsn.parse("1/0");
    }

    @Override
    public List<CleaningResult> clean(CleanRequest request) {
      cleaned = request;
      if (failure != null) {
        throw failure;
      }
      CleaningReport report = new CleaningReport(TopicPartition.of("shop.public.orders"), 0, 12, 12, 5, 1000, 400, 1000,
          400, 1, 2, 0,
          3, 0.25, 7_000_000);
      return List.of(new CleanedLog(report, 9_000_000));
    }
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void shouldAnswerProbesWithoutToken() throws Exception {
    // Given
    start(true);
    mirror.notReady = Optional.of("the first snapshot is not complete");

    // When
    HttpResponse<String> live = get("/live");
    HttpResponse<String> ready = get("/ready");

    // Then
    assertThat(live.statusCode()).isEqualTo(200);
    assertThat(ready.statusCode()).isEqualTo(503);
    assertThat(ready.body()).isEqualTo("the first snapshot is not complete\n");
  }

  @Test
  void shouldGiveMetricsOnlyWithTheTokenWhereOneIsSet() throws Exception {
    // Given
    start(true);

    // Then
    assertError(get("/metrics"), 401, "Authorization");
    assertThat(send(request("/metrics").header("Authorization", "Bearer " + TOKEN)).body()).contains("rowlog_state 1");
  }

  @Test
  void shouldBeReadyWhenTheMirrorIs() throws Exception {
    // Given
    start(false);

    // Then
    assertThat(get("/ready").statusCode()).isEqualTo(200);
  }

  @Test
  void shouldGiveTheStatusAsJson() throws Exception {
    // Given
    start(false);

    // When
    HttpResponse<String> response = get("/api/v1/status");

    // Then
    assertThat(response.headers().firstValue("Content-Type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("application/json"));
    assertThat(StatusJson.parse(json(response))).isEqualTo(StatusJsonTest.STATUS);
  }

  @Test
  void shouldAskForTheTokenOfReadsOnlyWhereOneIsSet() throws Exception {
    // Given
    start(true);

    // When
    HttpResponse<String> without = get("/api/v1/status");
    HttpResponse<String> with = send(request("/api/v1/status").header("Authorization", "Bearer " + TOKEN));

    // Then
    assertThat(without.statusCode()).isEqualTo(401);
    assertThat(json(without).get("error").textValue()).contains("Authorization: Bearer").doesNotContain(TOKEN);
    assertThat(with.statusCode()).isEqualTo(200);
  }

  @Test
  void shouldNeverCleanWithoutTheToken() throws Exception {
    // Given
    start(false);

    // When
    HttpResponse<String> response = send(request("/api/v1/clean").POST(HttpRequest.BodyPublishers.ofString("{}"))
        .header("Authorization", "Bearer wrong"));

    // Then
    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(mirror.cleaned).isNull();
  }

  @Test
  void shouldCleanAndAnswerAnObjectALog() throws Exception {
    // Given
    start(false);

    // When
    HttpResponse<String> response = clean(
        "{\"topics\":[\"shop.public.orders\"],\"roll\":true,\"set\":{\"min.compaction.lag.ms\":0}}");

    // Then
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(mirror.cleaned)
        .isEqualTo(new CleanRequest(List.of("shop.public.orders"), true, Map.of("min.compaction.lag.ms", "0")));
    JsonNode log = json(response).get(0);
    assertThat(log.get("topic").textValue()).isEqualTo("shop.public.orders");
    assertThat(log.get("records_in").longValue()).isEqualTo(12);
    assertThat(log.get("records_out").longValue()).isEqualTo(5);
    assertThat(log.get("tombstones_removed").longValue()).isEqualTo(2);
    assertThat(log.get("map_use").doubleValue()).isEqualTo(0.25);
    assertThat(log.get("wall_ms").longValue()).isEqualTo(7);
    assertThat(log.get("cpu_ms").longValue()).isEqualTo(9);
  }

  @Test
  void shouldSayInOneSentenceWhatIsWrongWithARequest() throws Exception {
    // Given
    start(false);

    // Then
    assertError(clean("{not json"), 400, "no JSON");
    assertError(get("/api/v1/wait"), 400, "lsn is missing");
    assertError(get("/api/v1/wait?lsn=17"), 400, "not an LSN");
    assertError(get("/api/v1/wait?lsn=0/1&timeout=soon"), 400, "timeout is 'soon'");
    assertError(get("/api/v1/nothing"), 404, "/api/v1/nothing");
    mirror.failure = new UnknownTopicException("there is no log of topic 'x'");
    assertError(clean("{\"topics\":[\"x\"]}"), 404, "there is no log of topic 'x'");
    mirror.failure = new InvalidConfigException("x", "unknown key");
    assertError(clean("{\"set\":{\"x\":\"1\"}}"), 400, "x: unknown key");
  }

  @Test
  void shouldAnswerAWaitWhenCommittedAndSayWhenNot() throws Exception {
    // Given
    start(false);

    // When
    HttpResponse<String> committed = get("/api/v1/wait?lsn=0/AB&timeout=7");
    mirror.committed = false;
    HttpResponse<String> late = get("/api/v1/wait?lsn=0/AB&timeout=0");
    HttpResponse<String> never = get("/api/v1/wait?lsn=1/1&timeout=7");

    // Then
    assertThat(committed.statusCode()).isEqualTo(200);
    assertThat(json(committed).get("lsn").textValue()).isEqualTo("0/AB");
    assertError(never, 400, "lsn 1/1 lies beyond what the database has written, 1/0");
    assertError(late, 504, "0/AB was not committed within 0 s");
    assertThat(mirror.waited).isZero();
  }

  @Test
  void shouldTellItsAddressInAFileThatOnlyItsOwnerReadsAndThatGoesWithIt() throws Exception {
    // Given
    start(false);
    Path file = directory.resolve(ApiFile.NAME);

    // When
    Optional<ApiFile> running = ApiFile.read(new NioDisk(), directory);
    String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    server.close();
    server = null;

    // Then
    assertThat(running).hasValueSatisfying(api -> {
      assertThat(api.token()).isEqualTo(TOKEN);
      assertThat(api.toString()).doesNotContain(TOKEN);
      assertThat(api.address()).startsWith("http://127.0.0.1:");
    });
    assertThat(permissions).isEqualTo("rw-------");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void shouldNotBeMisledByTheFileOfAProcessThatIsGone() throws Exception {
    // Given
    ProcessHandle self = ProcessHandle.current();
    long start = self.info().startInstant().orElseThrow().toEpochMilli();
    new ApiFile("http://127.0.0.1:1", TOKEN, self.pid(), start - 1000).write(directory);

    // When
    Optional<ApiFile> other = ApiFile.read(new NioDisk(), directory);
    Files.writeString(directory.resolve(ApiFile.NAME), "{\"address\":");
    Optional<ApiFile> torn = ApiFile.read(new NioDisk(), directory);

    // Then
    assertThat(other).isEmpty();
    assertThat(torn).isEmpty();
  }

  @Test
  void shouldSayWhichAddressIsTaken() {
    // Given
    start(false);
    int port = URI.create(server.address()).getPort();

    // Then
    assertThatThrownBy(() -> HttpServer.start("127.0.0.1", port, TOKEN, false, directory, mirror))
        .hasMessageContaining("cannot listen on 127.0.0.1:" + port);
  }

  private void start(boolean readsNeedToken) {
    server = HttpServer.start("127.0.0.1", 0, TOKEN, readsNeedToken, directory, mirror);
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(request(path));
  }

  private HttpResponse<String> clean(String body) throws Exception {
    return send(request("/api/v1/clean").POST(HttpRequest.BodyPublishers.ofString(body)).header("Authorization",
        "Bearer " + TOKEN));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(server.address() + path)).timeout(Duration.ofSeconds(20));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> response) throws Exception {
    return new ObjectMapper().readTree(response.body());
  }

  private static void assertError(HttpResponse<String> response, int status, String words) throws Exception {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(json(response).get("error").textValue()).contains(words);
  }
}
