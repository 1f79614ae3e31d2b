package dev.rowlog.connector.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowlog.connector.catalog.SourceAddress;
import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import dev.rowlog.connector.replay.jsonl.JsonlExport;
import dev.rowlog.connector.replay.loop.ReplayLimits;
import dev.rowlog.connector.replay.loop.ReplayListener;
import dev.rowlog.connector.replay.loop.ReplayLoop;
import dev.rowlog.connector.replay.loop.ReplayView;
import dev.rowlog.connector.replay.opensearch.OpenSearchTarget;
import dev.rowlog.connector.replay.opensearch.SearchAccess;
import dev.rowlog.connector.replay.postgres.PostgresTarget;
import dev.rowlog.connector.replay.redis.RedisTarget;
import dev.rowlog.connector.replay.redis.ValueShape;
import dev.rowlog.connector.replay.spi.Target;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.log.config.LogConfig;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/**
 * A million rows from offset zero into each target, beside the target's own bulk path on the same rows in the same run. A program; the
 * first argument is a folder that it may fill, the second the number of rows.
 */
final class ReplayBenchmark {
  private static final int COMMIT_ROWS = 5_000;
  private static final int BULK_ROWS = 5_000;
  private static final TablePatterns TABLES = TablePatterns.parse("shop.items");

  private final Path folder;
  private final Path data;
  private final List<String> lines;

  private ReplayBenchmark(Path folder, Path data, List<String> lines) {
    this.folder = folder;
    this.data = data;
    this.lines = lines;
  }

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    int rows = Integer.parseInt(arguments[1]);
    Path data = folder.resolve("data");
    Files.createDirectories(data);
    try (ShopLogs logs = ShopLogs.create(data, LogConfig.defaults().with("segment.bytes", "67108864"))) {
      for (int from = 0; from < rows; from += COMMIT_ROWS) {
        logs.fill(from, COMMIT_ROWS);
      }
      ReplayBenchmark benchmark = new ReplayBenchmark(folder, data, new ArrayList<>(logs.items().values()));
      System.out.printf(Locale.ROOT, "%,d rows%n", benchmark.lines.size());
      benchmark.jsonl();
      benchmark.redis();
      benchmark.postgres();
      benchmark.openSearch();
    }
    System.exit(0);
  }

  private interface Work {
    void run() throws Exception;
  }

  private void time(String what, Work work) throws Exception {
    long start = System.nanoTime();
    work.run();
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(Locale.ROOT, "%-34s %7.2f s %,10.0f rows/s%n", what, seconds, lines.size() / seconds);
  }

  private void replay(Target target) {
    try (ReplayLoop loop = new ReplayLoop(new NioDisk(), data, TABLES, target, ReplayLimits.ofRows(BULK_ROWS), false,
        ReplayListener.NONE,
        () -> false)) {
      while (loop.runOnce() == ReplayLoop.Outcome.MOVED) {
        continue;
      }
    }
  }

  private void jsonl() throws Exception {
    Path out = folder.resolve("jsonl");
    time("jsonl: rowlog", () -> {
      try (ReplayView view = ReplayView.open(new NioDisk(), data, TABLES)) {
        new JsonlExport(out, Runtime.getRuntime().maxMemory() / 4, ReplayListener.NONE, () -> false).write(view);
      }
    });
    time("jsonl: cp and sync", () -> shell("cp " + out.resolve("t.shop.items.jsonl") + " " + folder.resolve("copy")
        + " && sync " + folder.resolve("copy")));
  }

  private void redis() throws Exception {
    try (ServerProcess server = ServerProcess.redis(folder)) {
      Path commands = folder.resolve("commands");
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(commands))) {
        for (String line : lines) {
          byte[] key = ("plain:" + id(line)).getBytes(UTF_8);
          byte[] value = line.getBytes(UTF_8);
          out.write(("*3\r\n$3\r\nSET\r\n$" + key.length + "\r\n").getBytes(UTF_8));
          out.write(key);
          out.write(("\r\n$" + value.length + "\r\n").getBytes(UTF_8));
          out.write(value);
          out.write("\r\n".getBytes(UTF_8));
        }
      }
      time("redis: rowlog", () -> replay(RedisTarget.of("bench", URI.create("redis://127.0.0.1:" + server.port()),
          RedisTarget.defaultTemplate(), ValueShape.JSON)));
      time("redis: redis-cli --pipe", () -> shell("redis-cli -p " + server.port() + " --pipe < " + commands));
    }
  }

  private void postgres() throws Exception {
    try (TestDatabase database = PostgresFixture.shared().newDatabase()) {
      SourceAddress address = database.address();
      time("postgres: rowlog", () -> replay(PostgresTarget.of("bench", address, Optional.empty())));
      database.execute("create table plain (id bigint primary key, name text, price numeric(10,2))");
      StringBuilder rows = new StringBuilder();
      lines.forEach(line -> rows.append(id(line)).append('\t')
          .append(line.replaceAll(".*\"name\":\"(.*)\",\"price.*", "$1")).append('\t')
          .append(line.replaceAll(".*\"price\":(.*)}", "$1")).append('\n'));
      byte[] bytes = rows.toString().getBytes(UTF_8);
      time("postgres: COPY", () -> {
        try (Connection connection = database.connect()) {
          new CopyManager(connection.unwrap(BaseConnection.class)).copyIn("copy plain from stdin",
              new ByteArrayInputStream(bytes));
        }
      });
    }
  }

  private void openSearch() throws Exception {
    Path home = Files.createDirectories(folder.resolve("search"));
    try (ServerProcess server = ServerProcess.openSearch(home)) {
      URI url = URI.create("http://127.0.0.1:" + server.port());
      time("opensearch: rowlog",
          () -> replay(OpenSearchTarget.of("bench", new SearchAccess(List.of(url), null, null), "", Optional.empty())));
      HttpClient client = HttpClient.newHttpClient();
      send(client, "PUT", url + "/plain",
          "{\"settings\":{\"index.refresh_interval\":\"-1\"},\"mappings\":{\"dynamic\":false,\"properties\":{"
              + "\"id\":{\"type\":\"long\"},\"name\":{\"type\":\"text\",\"fields\":{\"keyword\":{\"type\":\"keyword\"}}},\"price\":{\"type\":\"double\"}}}}");
      List<String> bodies = new ArrayList<>();
      for (int from = 0; from < lines.size(); from += BULK_ROWS) {
        StringBuilder body = new StringBuilder();
        lines.subList(from, Math.min(lines.size(), from + BULK_ROWS))
            .forEach(line -> body.append("{\"index\":{\"_id\":\"").append(id(line)).append("\"}}\n").append(line)
                .append('\n'));
        bodies.add(body.toString());
      }
      time("opensearch: plain _bulk", () -> {
        for (String body : bodies) {
          send(client, "POST", url + "/plain/_bulk?filter_path=errors", body);
        }
        send(client, "POST", url + "/plain/_refresh", "");
      });
    }
  }

  private static void send(HttpClient client, String method, String url, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = client
        .send(HttpRequest.newBuilder(URI.create(url)).header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body)).build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200 || answer.body().contains("\"errors\":true")) {
      throw new AssertionError(method + " " + url + ": " + answer.body());
    }
  }

  private static String id(String line) {
    return line.substring("{\"id\":".length(), line.indexOf(','));
  }

  private static void shell(String command) throws IOException, InterruptedException {
    int exit = new ProcessBuilder("sh", "-c", command + " > /dev/null").inheritIO().start().waitFor();
    if (exit != 0) {
      throw new AssertionError(command + " ended with " + exit);
    }
  }
}
