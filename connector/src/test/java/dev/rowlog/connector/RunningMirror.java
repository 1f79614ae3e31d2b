package dev.rowlog.connector;

import dev.rowlog.connector.catalog.SourceAddress;
import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.mirror.MirrorListener;
import dev.rowlog.connector.options.HttpOptions;
import dev.rowlog.connector.options.RowlogOptions;
import dev.rowlog.connector.options.SourceOptions;
import dev.rowlog.connector.postgres.TestDatabase;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A real {@link RowlogApp} on a database of a test. */
final class RunningMirror implements AutoCloseable {
  static final Duration LONG = Duration.ofSeconds(60);

  private final RowlogApp app;

  private RunningMirror(RowlogApp app) {
    this.app = app;
  }

  static RunningMirror start(TestDatabase database, Path data, String tables) throws InterruptedException {
    return start(options(database, data, tables), MirrorListener.NONE).awaitStreaming();
  }

  static RunningMirror start(RowlogOptions options, MirrorListener listener) {
    return new RunningMirror(RowlogApp.start(options, RowlogApp.systemEnvironment(), listener));
  }

  static RowlogOptions options(TestDatabase database, Path data, String tables) {
    return options(
        new SourceAddress(database.host(), database.port(), database.name(), database.user(), database.password(),
            Map.of()),
        database.name(), data, tables);
  }

  /**
   * @param slot name of slot and publication
   */
  static RowlogOptions options(SourceAddress address, String slot, Path data, String tables) {
    SourceOptions source = new SourceOptions(address, TablePatterns.parse(tables), slot, slot, Map.of());
    LogConfig topic = LogConfig.defaults().with("segment.bytes", "1048576");
    CleanerConfig cleaner = CleanerConfig.defaults().with("log.cleaner.dedupe.buffer.size", "4194304");
    return new RowlogOptions(source, data, "t", topic, cleaner, new HttpOptions(true, "127.0.0.1", 0, null), 2,
        Duration.ofMillis(500));
  }

  RunningMirror awaitStreaming() throws InterruptedException {
    if (!app.awaitStreaming(LONG)) {
      throw new AssertionError("does not stream: " + app.status());
    }
    return this;
  }

  /** Everything committed in the source so far is committed in the logs. */
  void catchUp() throws InterruptedException {
    Lsn lsn = app.currentLsn();
    if (!app.awaitCommitted(lsn, LONG)) {
      throw new AssertionError(lsn + " not committed: " + app.status());
    }
  }

  RowlogApp app() {
    return app;
  }

  @Override
  public void close() {
    app.stop();
  }
}
