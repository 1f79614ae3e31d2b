package dev.rowlog.connector.serve.http;

import dev.rowlog.connector.mirror.Mirror;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.ContentType;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Objects;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP server of a running mirror: {@code /live}, {@code /ready}, {@code /metrics}, {@code /api/v1/...}. Any thread.
 *
 * <p>Writing requests need the bearer token always; reading ones only where the token was configured; probes never.
 * While it runs, {@link ApiFile} tells commands on this machine where it is.
 */
public final class HttpServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
  private static final int MAX_THREADS = 24;
  private static final int MIN_THREADS = 2;
  private static final int THREAD_IDLE_MS = 30_000;
  private static final long MAX_REQUEST_BYTES = 64 << 10;

  private final Javalin javalin;
  private final String address;
  private final Path dataDirectory;

  private HttpServer(Javalin javalin, String address, Path dataDirectory) {
    this.javalin = javalin;
    this.address = address;
    this.dataDirectory = dataDirectory;
  }

  /**
   * @param port 0 for any free one
   * @param token what writing requests must carry
   * @param readsNeedToken whether reading requests must too
   * @throws IllegalStateException where the address is taken or not ours
   */
  public static HttpServer start(
      String host, int port, String token, boolean readsNeedToken, Path dataDirectory, Mirror mirror) {
    Objects.requireNonNull(token, "token");
    Javalin javalin = Javalin.create(config -> configure(config, token, readsNeedToken, new ApiRoutes(mirror)));
    try {
      javalin.start(host, port);
    } catch (RuntimeException e) {
      throw new IllegalStateException("cannot listen on " + host + ":" + port + " (" + rootMessage(e)
          + "): choose another http.listen", e);
    }
    String reachable = host.equals("0.0.0.0")
        ? "127.0.0.1"
        : host.equals("::") ? "[::1]" : host.contains(":") ? "[" + host + "]" : host;
    HttpServer server = new HttpServer(javalin, "http://" + reachable + ":" + javalin.port(), dataDirectory);
    try {
      ApiFile.ofThisProcess(server.address, token).write(dataDirectory);
      return server;
    } catch (RuntimeException e) {
      javalin.stop();
      throw e;
    }
  }

  private static void configure(JavalinConfig config, String token, boolean readsNeedToken, ApiRoutes routes) {
    config.startup.showJavalinBanner = false;
    config.startup.startupWatcherEnabled = false;
    config.concurrency.useVirtualThreads = false;
    config.http.maxRequestSize = MAX_REQUEST_BYTES;
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, MIN_THREADS, THREAD_IDLE_MS);
    threads.setName("rowlog-http");
    threads.setDaemon(true);
    config.jetty.threadPool = threads;
    config.router.javaLangErrorHandler((response, error) -> uncaught(error));
    config.routes.before("/api/*", context -> authorize(context, token, readsNeedToken));
    config.routes.before("/metrics", context -> authorize(context, token, readsNeedToken));
    config.routes.get("/metrics", routes::metrics);
    config.routes.get("/live", routes::live);
    config.routes.get("/ready", routes::ready);
    config.routes.get("/api/v1/status", routes::status);
    config.routes.get("/api/v1/wait", routes::await);
    config.routes.post("/api/v1/clean", routes::clean);
    config.routes.exception(ApiException.class, (e, context) -> answerError(context, e.status(), e.getMessage()));
    config.routes.exception(HttpResponseException.class,
        (e, context) -> answerError(context, e.getStatus(),
            e.getMessage() + ": " + context.method() + " " + context.path()));
    config.routes.exception(Exception.class, (e, context) -> {
      LOG.error("{} {} failed", context.method(), context.path(), e);
      answerError(context, 500, "internal error, see the log of the process: " + e.getClass().getSimpleName());
    });
  }

  /** As in a thread of its own: what ends the process for want of memory is told. */
  private static void uncaught(Error error) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
  }

  private static void authorize(Context context, String token, boolean readsNeedToken) {
    boolean reads = context.method().name().equals("GET") || context.method().name().equals("HEAD");
    if (reads && !readsNeedToken) {
      return;
    }
    String header = context.header("Authorization");
    byte[] given = header == null ? new byte[0] : header.getBytes(StandardCharsets.UTF_8);
    // The time of this comparison says nothing of the token.
    if (!MessageDigest.isEqual(given, ("Bearer " + token).getBytes(StandardCharsets.UTF_8))) {
      context.header("WWW-Authenticate", "Bearer");
      throw new ApiException(401,
          "this request needs the header Authorization: Bearer <token>; the token is auth.token, or stands in "
              + ApiFile.NAME + " in the data directory");
    }
  }

  private static void answerError(Context context, int status, String sentence) {
    context.status(status)
        .contentType(ContentType.APPLICATION_JSON)
        .result(ApiRoutes
            .json(com.fasterxml.jackson.databind.node.JsonNodeFactory.instance.objectNode().put("error", sentence)));
  }

  private static String rootMessage(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage();
  }

  /** Where it answers, such as {@code http://127.0.0.1:8080}. */
  public String address() {
    return address;
  }

  /** Ends the server and removes {@link ApiFile}. */
  @Override
  public void close() {
    ApiFile.remove(dataDirectory);
    javalin.stop();
  }
}
