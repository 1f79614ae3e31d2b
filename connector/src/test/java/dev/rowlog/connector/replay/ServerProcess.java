package dev.rowlog.connector.replay;

import dev.rowlog.connector.postgres.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, on a free port of the loopback; ended with the JVM at the latest. */
public final class ServerProcess implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(120);

  private final Process process;
  private final int port;
  private final Path output;

  private ServerProcess(Process process, int port, Path output) {
    this.process = process;
    this.port = port;
    this.output = output;
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
  }

  /** Debian's Redis, keeping nothing on disk. */
  public static ServerProcess redis(Path folder) {
    int port = freePort();
    return redis(folder, port, List.of("--port", Integer.toString(port)));
  }

  /**
   * Over TLS only, with {@code server.crt} and {@code server.key} of the folder, and for this user only.
   */
  public static ServerProcess redisOverTls(Path folder, Path authority, String user, String password) {
    int port = freePort();
    return redis(folder, port,
        List.of("--port", "0", "--tls-port", Integer.toString(port), "--tls-cert-file", "server.crt",
            "--tls-key-file", "server.key", "--tls-ca-cert-file", authority.toString(), "--tls-auth-clients", "no",
            "--user", "default", "off", "--user", user, "on", ">" + password, "~*", "&*", "+@all"));
  }

  private static ServerProcess redis(Path folder, int port, List<String> listen) {
    String program = List.of("/usr/bin/redis-server", "/usr/local/bin/redis-server").stream()
        .filter(path -> Files.isExecutable(Path.of(path)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("redis-server is missing: apt-get install -y redis-server redis-tools"));
    List<String> command = new ArrayList<>(
        List.of(program, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"));
    command.addAll(listen);
    ServerProcess server = start(folder, port, command);
    Eventually.holds("Redis answers\n" + server.output(), START, server::accepts);
    return server;
  }

  /**
   * A search engine that the build has put together.
   *
   * @param module its folder below {@code search-nodes}
   */
  public static ServerProcess searchNode(Path folder, String module, String mainClass) {
    Path target = Path.of("..", "search-nodes", module, "target").toAbsolutePath().normalize();
    if (!Files.isDirectory(target.resolve("lib"))) {
      throw new AssertionError(target + " is not built: mvn -pl search-nodes/" + module + " package");
    }
    int port = freePort();
    ServerProcess server = start(folder, port, List.of(java(), "-Xmx512m", "-XX:TieredStopAtLevel=1", "-cp",
        target.resolve("classes") + ":" + target.resolve("lib") + "/*", mainClass, folder.toString(),
        Integer.toString(port)));
    HttpClient client = HttpClient.newHttpClient();
    Eventually.holds("the search engine answers\n" + server.output(), START, () -> {
      if (!server.process.isAlive()) {
        throw new AssertionError("ended by itself:\n" + server.output());
      }
      try {
        return client.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/_cluster/health"))
                .timeout(Duration.ofSeconds(2)).build(),
            HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
      } catch (IOException e) {
        return false;
      }
    });
    return server;
  }

  public static ServerProcess openSearch(Path folder) {
    return searchNode(folder, "opensearch", "dev.rowlog.searchnode.OpenSearchNode");
  }

  public static ServerProcess elasticsearch(Path folder) {
    return searchNode(folder, "elasticsearch", "dev.rowlog.searchnode.ElasticsearchNode");
  }

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static ServerProcess start(Path folder, int port, List<String> command) {
    try {
      Path output = Files.createTempFile("rowlog-server", ".log");
      Process process = new ProcessBuilder(new ArrayList<>(command)).directory(folder.toFile())
          .redirectErrorStream(true)
          .redirectOutput(output.toFile()).start();
      return new ServerProcess(process, port, output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean accepts() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  public int port() {
    return port;
  }

  /** SIGSTOP or SIGCONT. */
  public void signal(String name) throws IOException, InterruptedException {
    int exit = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start().waitFor();
    if (exit != 0) {
      throw new AssertionError("kill -" + name + " ended with " + exit);
    }
  }

  public String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
      Files.deleteIfExists(output);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
