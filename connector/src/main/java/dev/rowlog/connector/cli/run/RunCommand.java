package dev.rowlog.connector.cli.run;

import dev.rowlog.connector.RowlogApp;
import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.command.CommandFailure;
import dev.rowlog.connector.cli.command.CommonOptions;
import dev.rowlog.connector.cli.command.ConfigOptions;
import dev.rowlog.connector.cli.command.ExitCode;
import dev.rowlog.connector.cli.command.Logging;
import dev.rowlog.connector.config.RowlogConfig;
import dev.rowlog.connector.mirror.MirrorEnd;
import dev.rowlog.connector.options.RowlogOptions;
import dev.rowlog.connector.replay.setup.ReplayThreads;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code run}: mirrors until it is told to end. */
@Command(name = "run", description = {
    "Mirror the tables of a PostgreSQL database into compacted logs, and keep mirroring.",
    "Ends cleanly on SIGTERM or Ctrl-C; a second one ends it at once. Starts again where it stopped."}, footer = {
        "", "Examples:",
        "  rowlog run --source.url postgres://rowlog:secret@localhost/shop",
        "  rowlog run --config config/rowlog.properties",
        "  ROWLOG_SOURCE_PASSWORD_FILE=pg.secret rowlog run \\",
        "    --source.url postgres://rowlog@localhost/shop --source.tables 'public.*'",
        "", "Every key of config/rowlog.properties is a flag ('rowlog config show' prints",
        "them); --source.debezium.<key> goes to Debezium's connector,",
        "--target.<name>.<key> to a target that is kept up to date. Order: flag,",
        "environment (ROWLOG_SOURCE_URL for source.url), file, default. Its log is text",
        "on a terminal, else JSON, one object a line (logging.format says otherwise)."})
public final class RunCommand implements Callable<Integer> {
  private final CommandContext context;

  @Spec
  private CommandSpec spec;

  @Mixin
  CommonOptions common;

  public RunCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws Exception {
    RowlogConfig config = RowlogConfig.of(ConfigOptions.loaded(spec, context));
    Logging.configure(config.logging(), common.verbose, context.errorTerminal());
    Logger log = LoggerFactory.getLogger("rowlog");
    RowlogOptions options = RunOptions.of(config);
    // Before anything is made at the source: a target's configuration that does not hold ends it here.
    ReplayThreads targets = ReplayThreads.of(config.targets(), context.environment().disk(), config.data().directory(),
        log);
    context.stop().arm();
    LoggingListener listener = new LoggingListener(log, config.logging().rows(), context.environment().nanoClock());
    try (RowlogApp app = RowlogApp.start(options, context.environment(), listener);
        targets) {
      log.info("mirroring {} into {}{}", config.source().url(), config.data().directory().toAbsolutePath().normalize(),
          app.httpAddress().map(address -> ", status at " + address + "/api/v1/status").orElse(""));
      app.addMetrics(() -> targets.metrics(topic -> end(app, topic)));
      targets.start();
      return exitCode(endOf(app), log);
    }
  }

  private static long end(RowlogApp app, String topic) {
    return app.engine().log(TopicPartition.of(topic)).map(PartitionLog::highWatermark).orElse(0L);
  }

  /** Waits for the mirror's own end while a thread of its own hears the request to stop. */
  private MirrorEnd endOf(RowlogApp app) throws InterruptedException {
    Thread stopper = new Thread(() -> {
      if (context.stop().await(Duration.ofNanos(Long.MAX_VALUE))) {
        app.stop();
      }
    }, "rowlog-stop");
    stopper.setDaemon(true);
    stopper.start();
    return app.awaitStopped();
  }

  private int exitCode(MirrorEnd end, Logger log) {
    return switch (end.kind()) {
      case REQUESTED -> {
        log.info("stopped; everything whole is committed");
        yield context.stop().isGiven() ? context.stop().exitCode() : ExitCode.OK;
      }
      case FAILED -> throw new CommandFailure(ExitCode.RUNTIME, end.message());
      case ENVIRONMENT -> throw new CommandFailure(ExitCode.ENVIRONMENT, end.message());
    };
  }
}
