package dev.rowlog.connector.replay;

import dev.rowlog.connector.RowlogApp;
import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.config.TargetConfig;
import dev.rowlog.connector.config.key.TargetType;
import dev.rowlog.connector.mirror.MirrorListener;
import dev.rowlog.connector.options.HttpOptions;
import dev.rowlog.connector.options.RowlogOptions;
import dev.rowlog.connector.options.SourceOptions;
import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import dev.rowlog.connector.replay.setup.ReplayThreads;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import org.slf4j.LoggerFactory;

/**
 * How long a source transaction takes to be committed in the log, with a Redis target that runs and with the same one stopped by SIGSTOP, in
 * turns. A program; its argument is a folder that it may fill.
 */
final class StoppedTargetBenchmark {
  private static final int ROUNDS = 6;
  private static final int TRANSACTIONS = 150;

  private StoppedTargetBenchmark() {}

  public static void main(String[] arguments) throws Exception {
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    Path folder = Path.of(arguments[0]);
    Path data = folder.resolve("data");
    Files.createDirectories(folder);
    try (TestDatabase source = PostgresFixture.shared().newDatabase();
        ServerProcess redis = ServerProcess.redis(folder)) {
      source.execute("create table things (id int primary key, name text)");
      RowlogOptions options = new RowlogOptions(
          new SourceOptions(source.address(), TablePatterns.parse("public.*"), source.name(), source.name(), Map.of()),
          data, "t",
          LogConfig.defaults(), CleanerConfig.defaults(), new HttpOptions(false, "127.0.0.1", 0, null), 2,
          Duration.ofSeconds(5));
      TargetConfig target = new TargetConfig("cache", TargetType.REDIS, TablePatterns.parse("*.*"), 5_000,
          Map.of("url", "redis://127.0.0.1:" + redis.port()));
      try (RowlogApp app = RowlogApp.start(options, RowlogApp.systemEnvironment(), MirrorListener.NONE);
          ReplayThreads targets = ReplayThreads.of(List.of(target), new NioDisk(), data,
              LoggerFactory.getLogger("bench"));
          Connection connection = source.connect();
          Statement statement = connection.createStatement()) {
        app.awaitStreaming(Duration.ofSeconds(60));
        targets.start();
        measure(app, statement, "warm-up");
        for (int round = 0; round < ROUNDS; round++) {
          measure(app, statement, "target runs");
          redis.signal("STOP");
          measure(app, statement, "target stopped");
          redis.signal("CONT");
        }
      }
    }
    System.exit(0);
  }

  private static void measure(RowlogApp app, Statement statement, String what) throws Exception {
    long[] nanos = new long[TRANSACTIONS];
    for (int i = 0; i < TRANSACTIONS; i++) {
      long start = System.nanoTime();
      statement.execute(
          "insert into things values (" + i + ", 'x') on conflict (id) do update set name = things.name || 'x'");
      Lsn lsn = app.currentLsn();
      app.awaitCommitted(lsn, Duration.ofSeconds(30));
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    System.out.printf(Locale.ROOT, "%-16s p50 %6.2f ms  p95 %6.2f ms%n", what, nanos[TRANSACTIONS / 2] / 1e6,
        nanos[TRANSACTIONS * 95 / 100] / 1e6);
  }
}
