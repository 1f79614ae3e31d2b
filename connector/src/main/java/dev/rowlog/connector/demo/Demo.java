package dev.rowlog.connector.demo;

import dev.rowlog.connector.RowlogApp;
import dev.rowlog.connector.catalog.SourceAddress;
import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.config.TopicConfig;
import dev.rowlog.connector.config.url.SourceUrl;
import dev.rowlog.connector.init.InitSql;
import dev.rowlog.connector.mirror.CleanRequest;
import dev.rowlog.connector.mirror.CleanedLog;
import dev.rowlog.connector.mirror.CleaningResult;
import dev.rowlog.connector.mirror.CommittedTransaction;
import dev.rowlog.connector.mirror.MirrorState;
import dev.rowlog.connector.mirror.TableStatus;
import dev.rowlog.connector.mirror.UncleanedLog;
import dev.rowlog.connector.options.Environment;
import dev.rowlog.connector.options.HttpOptions;
import dev.rowlog.connector.options.RowlogOptions;
import dev.rowlog.connector.options.SourceOptions;
import dev.rowlog.connector.text.Quantity;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.replay.DirectoryReader;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The whole job on one screen, with a database of its own: snapshot, stream, workload, cleaning, replay, comparison.
 * Works in a thread of its own, so that the caller's can obey a request to end at once; leaves nothing behind, however it
 * ends.
 */
public final class Demo {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration GLANCE = Duration.ZERO;
  private static final Duration GLANCE_AGAIN = Duration.ofMillis(100);
  private static final String ROLE = "rowlog";
  private static final String SCHEMA = "public";
  private static final long WORKLOAD_SEED = 42;

  /** Tables and their keys, in the key's order. */
  private static final Map<String, String> TABLES = tables();

  /** How the demo ended. */
  public enum Outcome {
    EQUAL,
    DIFFERENT,
    STOPPED
  }

  private final Environment environment;
  private final Path temporary;
  private final Optional<Path> binaries;
  private final DemoRequest request;
  private final DemoScreen screen;
  private final Predicate<Duration> stop;
  private final long started;
  /** The last word where all is equal; written by the worker before it ends. */
  private volatile String verdict;
  /** The mirror, once it runs. */
  private volatile RowlogApp app;
  /** True where the worker itself hears the request to end, and ends in order. */
  private volatile boolean staying;

  /**
   * @param binaries where PostgreSQL's programs are unpacked and stay; empty for the demo's own folder
   * @param stop waits for the request to end, true when it came
   */
  public Demo(Environment environment, Path temporary, Optional<Path> binaries, DemoRequest request, PrintStream out,
      int columns, boolean terminal,
      Predicate<Duration> stop) {
    this.environment = environment;
    this.temporary = temporary;
    this.binaries = binaries;
    this.request = request;
    this.screen = new DemoScreen(out, columns, terminal);
    this.stop = stop;
    this.started = environment.nanoClock().getAsLong();
  }

  public Outcome run() throws SQLException, InterruptedException {
    checkData();
    DemoLeftovers.remove(temporary);
    DemoFolder folder = DemoFolder.create(temporary);
    FutureTask<Outcome> work = new FutureTask<>(() -> run(folder));
    Thread worker = new Thread(work, "rowlog-demo");
    worker.setDaemon(true);
    worker.start();
    try {
      while (!work.isDone()) {
        if (stop.test(GLANCE_AGAIN) && !staying) {
          screen.doing("ending");
          new DemoTeardown(folder, worker).run(app);
          screen.line("ended");
          return Outcome.STOPPED;
        }
        if (staying) {
          worker.join();
        }
      }
      Outcome outcome = work.get();
      if (request.exit()) {
        request.data().ifPresent(kept -> screen.line("The logs stay in " + kept + "."));
        say(outcome == Outcome.EQUAL);
      }
      return outcome;
    } catch (ExecutionException e) {
      // Ctrl-C reaches PostgreSQL's programs as well, sometimes sooner than us.
      if (stop.test(GLANCE_AGAIN)) {
        return Outcome.STOPPED;
      }
      throw rethrown(e.getCause());
    } finally {
      folder.delete();
    }
  }

  private void say(boolean equal) {
    if (equal) {
      screen.verdict(verdict);
    }
  }

  private static RuntimeException rethrown(Throwable cause) throws SQLException {
    if (cause instanceof SQLException sql) {
      throw sql;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException known ? known : new IllegalStateException(cause.getMessage(), cause);
  }

  private Outcome run(DemoFolder folder) throws SQLException, InterruptedException {
    screen.doing("starting PostgreSQL");
    try (DemoDatabase database = DemoDatabase.start(folder, binaries.orElse(folder.path().resolve("programs")))) {
      return run(folder, database);
    }
  }

  private Outcome run(DemoFolder folder, DemoDatabase database) throws SQLException, InterruptedException {
    screen.tick("PostgreSQL " + database.version(), "embedded, wal_level=logical, port " + database.port(),
        elapsedMs());
    database.createShop();
    database
        .execute(new InitSql(url(database), TablePatterns.parse(SCHEMA + ".*"), ROLE, Optional.empty(), ROLE).text());
    long rows = rows(database);
    screen.tick("shop",
        TABLES.size() + " tables, " + Quantity.count(rows) + " rows, prepared by 'rowlog init'",
        elapsedMs());
    if (stop.test(GLANCE)) {
      return Outcome.STOPPED;
    }
    screen.doing("reading the tables, and waiting for the stream");
    DemoListener listener = new DemoListener(environment.nanoClock());
    Path data = request.data().orElse(folder.path().resolve("data"));
    try (RowlogApp app = RowlogApp.start(options(database, data), environment, listener)) {
      this.app = app;
      return mirror(folder, database, data, app, listener, rows);
    }
  }

  private Outcome mirror(DemoFolder folder, DemoDatabase database, Path data, RowlogApp app, DemoListener listener,
      long rows)
      throws SQLException, InterruptedException {
    if (!app.awaitStreaming(PATIENCE)) {
      throw new IllegalStateException(
          "the mirror did not stream within " + PATIENCE.toSeconds() + " s: " + app.status().lastError());
    }
    screen.tick("first snapshot", Quantity.count(rows) + " rows by COPY from the slot's own snapshot",
        millisOf(listener.firstRowNanos()));
    screen.tick("streaming", "Debezium and pgoutput, from the slot's " + listener.slotPoint(), elapsedMs());
    if (stop.test(GLANCE)) {
      return Outcome.STOPPED;
    }
    work(database, app);
    show(database, listener);
    if (request.clean()) {
      clean(app);
    }
    boolean equal = compare(database, app, data);
    if (request.exit()) {
      screen.doing("closing the mirror and PostgreSQL");
      return equal ? Outcome.EQUAL : Outcome.DIFFERENT;
    }
    say(equal);
    folder.writeState(new DemoFolder.Running(database.port(), data.toString()));
    staying = true;
    stay(data, listener, app);
    return equal ? Outcome.STOPPED : Outcome.DIFFERENT;
  }

  private static long committedRecords(RowlogApp app) {
    return app.status().tables().stream().mapToLong(TableStatus::endOffset).sum();
  }

  private void work(DemoDatabase database, RowlogApp app) throws SQLException, InterruptedException {
    screen.doing("running a workload");
    long before = committedRecords(app);
    ShopWorkload.Done done;
    try (Connection connection = database.connect()) {
      done = new ShopWorkload(connection, new Random(WORKLOAD_SEED)).run();
    }
    awaitCommitted(app);
    screen.tick("workload",
        Quantity.count(done.committed()) + " transactions (" + done.rolledBack() + " rolled back): "
            + Quantity.count(committedRecords(app) - before) + " records",
        elapsedMs());
  }

  private void show(DemoDatabase database, DemoListener listener) throws SQLException, InterruptedException {
    screen.line("");
    for (DemoStatements.Change change : DemoStatements.ALL) {
      String sql = change.sql();
      screen.statement(sql);
      try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        statement.execute(sql);
        try (ResultSet id = statement.executeQuery("select pg_current_xact_id()::text::bigint")) {
          id.next();
          listener.ask(id.getLong(1));
        }
        connection.commit();
      }
      CommittedTransaction transaction = listener.answer(PATIENCE);
      if (transaction == null) {
        throw new IllegalStateException("the transaction did not arrive within " + PATIENCE.toSeconds() + " s: " + sql);
      }
      screen.records(transaction, change.column());
    }
    screen.line("");
  }

  private void clean(RowlogApp app) {
    screen.glimpse("cleaning");
    List<CleanedLog> cleaned = cleaned(app);
    long recordsIn = cleaned.stream().mapToLong(log -> log.report().recordsIn()).sum();
    long recordsOut = cleaned.stream().mapToLong(log -> log.report().recordsOut()).sum();
    long before = cleaned.stream().mapToLong(log -> log.report().bytesBefore()).sum();
    long after = cleaned.stream().mapToLong(log -> log.report().bytesAfter()).sum();
    screen.tick("cleaned",
        Quantity.count(recordsIn) + " → " + Quantity.count(recordsOut) + " records, " + Quantity.bytes(before) + " → "
            + Quantity.bytes(after)
            + (before > 0 ? " (" + Quantity.percent((double) after / before - 1) + ")" : ""),
        elapsedMs());
  }

  private static List<CleanedLog> cleaned(RowlogApp app) {
    List<CleanedLog> cleaned = new ArrayList<>();
    for (CleaningResult result : app.clean(new CleanRequest(topics(), true, Map.of()))) {
      if (result instanceof UncleanedLog failed) {
        throw new IllegalStateException(failed.log() + " was not cleaned: " + failed.error());
      }
      cleaned.add((CleanedLog) result);
    }
    return cleaned;
  }

  private boolean compare(DemoDatabase database, RowlogApp app, Path data) throws SQLException, InterruptedException {
    screen.glimpse("replaying");
    awaitCommitted(app);
    List<TableComparison> compared = new ArrayList<>();
    try (DirectoryReader reader = DirectoryReader.open(environment.disk(), data);
        Connection connection = database.connect()) {
      for (Map.Entry<String, String> table : TABLES.entrySet()) {
        compared.add(TableComparison.of(connection, table.getKey(), table.getValue(), reader, topic(table.getKey())));
      }
    }
    long records = compared.stream().mapToLong(TableComparison::records).sum();
    long differences = compared.stream().mapToLong(TableComparison::differences).sum();
    screen.tick("replayed", Quantity.count(records) + " records from offset zero, against the tables",
        elapsedMs());
    for (TableComparison each : compared) {
      screen.line(String.format(Locale.ROOT, "    %-12s %7s rows   %7s replayed   %s", each.table(),
          Quantity.count(each.rows()),
          Quantity.count(each.live()),
          each.differences() == 0 ? "equal, byte for byte" : Quantity.count(each.differences()) + " DIFFERENT"));
    }
    long rows = compared.stream().mapToLong(TableComparison::rows).sum();
    verdict = "equal: " + Quantity.count(rows) + " rows replayed, byte for byte what to_json(row)::text prints";
    if (differences > 0) {
      screen.cross(Quantity.count(differences) + " rows differ between the tables and the replay of their logs");
    }
    return differences == 0;
  }

  private void stay(Path data, DemoListener listener, RowlogApp app) {
    String topic = topic("products");
    screen.line("");
    screen.line("Mirroring on. Try in another terminal:");
    screen.line("  " + request.command() + " topic read " + topic + " --follow \\");
    screen.line("    --data " + data);
    screen.line("    (the others take the same --data: status, topic list, segment list)");
    screen.line("  " + request.command() + " demo sql \"update products set price = price * 2 where id = 42\"");
    screen.line("Ctrl-C ends it"
        + (request.data().isPresent() ? "; the logs stay in " + data : " and leaves nothing behind") + ".");
    listener.show(screen::records);
    while (!stop.test(Duration.ofSeconds(1))) {
      if (app.status().state() == MirrorState.STOPPED) {
        throw new IllegalStateException("the mirror stopped: " + app.status().lastError());
      }
    }
  }

  private void checkData() {
    request.data().ifPresent(data -> {
      if (environment.disk().exists(data)
          && (!environment.disk().isDirectory(data) || !environment.disk().list(data).isEmpty())) {
        throw new DemoRefused("--data " + data
            + " is not an empty folder: the demo begins with new logs; name another one, or remove it");
      }
    });
  }

  private static void awaitCommitted(RowlogApp app) throws InterruptedException {
    if (!app.awaitCommitted(app.currentLsn(), PATIENCE)) {
      throw new IllegalStateException(
          "the mirror did not catch up within " + PATIENCE.toSeconds() + " s: " + app.status().lastError());
    }
  }

  private RowlogOptions options(DemoDatabase database, Path data) {
    SourceAddress address = new SourceAddress("localhost", database.port(), DemoDatabase.NAME, ROLE, null, Map.of());
    SourceOptions source = new SourceOptions(address, TablePatterns.parse(SCHEMA + ".*"), ROLE, ROLE, Map.of());
    // The cleaner works when the demo says so, not in between.
    CleanerConfig cleaner = CleanerConfig.defaults().with("log.cleaner.enable", "false");
    return new RowlogOptions(source, data, DemoDatabase.NAME, TopicConfig.defaults().log(), cleaner,
        new HttpOptions(true, "127.0.0.1", 0, null),
        RowlogOptions.DEFAULT_SNAPSHOT_READERS, RowlogOptions.DEFAULT_HEARTBEAT);
  }

  private static SourceUrl url(DemoDatabase database) {
    return new SourceUrl("localhost", database.port(), DemoDatabase.NAME, ROLE, null, Map.of());
  }

  private static long rows(DemoDatabase database) throws SQLException {
    long rows = 0;
    try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
      for (String table : TABLES.keySet()) {
        try (ResultSet count = statement.executeQuery("select count(*) from " + table)) {
          count.next();
          rows += count.getLong(1);
        }
      }
    }
    return rows;
  }

  private static List<String> topics() {
    return TABLES.keySet().stream().map(Demo::topic).toList();
  }

  private static String topic(String table) {
    return DemoDatabase.NAME + "." + SCHEMA + "." + table;
  }

  private long elapsedMs() {
    return millisOf(environment.nanoClock().getAsLong());
  }

  private long millisOf(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos - started);
  }

  private static Map<String, String> tables() {
    Map<String, String> tables = new LinkedHashMap<>();
    tables.put("customers", "t.id");
    tables.put("products", "t.id");
    tables.put("orders", "t.id");
    tables.put("order_items", "t.order_id, t.line");
    return tables;
  }
}
