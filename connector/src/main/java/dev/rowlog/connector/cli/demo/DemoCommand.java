package dev.rowlog.connector.cli.demo;

import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.command.CommonOptions;
import dev.rowlog.connector.cli.command.ExitCode;
import dev.rowlog.connector.cli.command.Logging;
import dev.rowlog.connector.demo.Demo;
import dev.rowlog.connector.demo.DemoRequest;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code demo}: everything at once, with a database of its own. */
@Command(name = "demo", description = {
    "Start an embedded PostgreSQL with a small shop, mirror it, change it, clean the logs, replay them and compare.",
    "Then keep mirroring until Ctrl-C. Needs no configuration and leaves nothing behind."}, footer = {
        "", "Examples:",
        "  rowlog demo",
        "  rowlog demo sql \"update products set price = 1 where id = 7\" # elsewhere",
        "  rowlog demo --exit --data /tmp/logs", "",
        "Exit code with --exit: 0 where replay and tables are equal, 4 where they differ."})
public final class DemoCommand implements Callable<Integer> {
  private final CommandContext context;

  @Mixin
  CommonOptions common;

  @Option(names = "--exit", description = "End after the comparison.")
  private boolean exit;

  @Option(names = "--data", paramLabel = "DIR", description = "Keep the logs in this folder; it must be empty or new.")
  private Path data;

  @Option(names = "--no-clean", description = "Leave the cleaner out.")
  private boolean noClean;

  public DemoCommand(CommandContext context) {
    this.context = context;
  }

  /** With its own command {@code sql}. */
  public CommandLine line() {
    CommandLine line = new CommandLine(this);
    line.addSubcommand(new DemoSqlCommand(context));
    return line;
  }

  @Override
  public Integer call() throws Exception {
    Logging.quiet(common.verbose);
    context.stop().arm();
    DemoRequest request = new DemoRequest(exit, Optional.ofNullable(data), !noClean, context.name().typed());
    Demo.Outcome outcome = new Demo(context.environment(), context.temporary(), binaries(), request, context.out(),
        context.columns(),
        context.terminal(), context.stop()::await).run();
    return switch (outcome) {
      case EQUAL -> ExitCode.OK;
      case DIFFERENT -> ExitCode.DIFFERENCES;
      case STOPPED -> context.stop().exitCode();
    };
  }

  /** In a checkout, beside what was built; elsewhere in the temporary folder of the demo. */
  private static Optional<Path> binaries() {
    return Optional.ofNullable(System.getProperty("rowlog.build")).map(build -> Path.of(build, "postgres"));
  }
}
