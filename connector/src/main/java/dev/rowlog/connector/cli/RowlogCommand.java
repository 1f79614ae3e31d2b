package dev.rowlog.connector.cli;

import dev.rowlog.connector.cli.clean.CleanRunCommand;
import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.command.CommonOptions;
import dev.rowlog.connector.cli.command.ConfigOptions;
import dev.rowlog.connector.cli.command.ExitCode;
import dev.rowlog.connector.cli.config.ConfigCheckCommand;
import dev.rowlog.connector.cli.config.ConfigShowCommand;
import dev.rowlog.connector.cli.demo.DemoCommand;
import dev.rowlog.connector.cli.init.InitCommand;
import dev.rowlog.connector.cli.read.TopicReadCommand;
import dev.rowlog.connector.cli.replay.ReplayCommand;
import dev.rowlog.connector.cli.run.RunCommand;
import dev.rowlog.connector.cli.status.StatusCommand;
import dev.rowlog.connector.cli.topic.SegmentListCommand;
import dev.rowlog.connector.cli.topic.TopicDescribeCommand;
import dev.rowlog.connector.cli.topic.TopicListCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code rowlog}: the tree of commands, and what is common to them: errors in one line, exit codes. */
@Command(name = "rowlog", description = "Mirrors PostgreSQL tables into compacted logs, exactly once, and replays them.", footer = {
    "", "Start here:",
    "  rowlog demo                                            all, own database",
    "  rowlog init --source.url postgres://rowlog@host/db     SQL for yours",
    "  rowlog run --source.url postgres://rowlog:pw@host/db   mirror it",
    "", "Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 something",
    "outside must be put right first, 4 differences found, 130 and 143 ended by a",
    "signal."})
public final class RowlogCommand implements Runnable {
  private static final String MISSING = "a command is missing";

  /** What there is, for those who only typed the name. */
  private static final List<String> SHORT_USAGE = List.of(
      "  rowlog demo                 everything at once, with a database of its own",
      "  rowlog init                 print the SQL that prepares your database",
      "  rowlog run                  mirror it",
      "  rowlog status               how the mirror is",
      "  rowlog topic list|describe|read, segment list, clean run, config show|check");

  @Spec
  private CommandSpec spec;

  @Mixin
  CommonOptions common;

  @Option(names = {"-V", "--version"}, versionHelp = true, description = "Print the version and exit.")
  boolean version;

  private RowlogCommand() {}

  /** The commands over this context; {@link CommandLine#execute} gives the exit code and throws nothing. */
  public static CommandLine in(CommandContext context) {
    CommandLine rowlog = new CommandLine(new RowlogCommand());
    rowlog.getCommandSpec().versionProvider(() -> new String[]{"rowlog " + Version.text()});
    rowlog.addSubcommand(new DemoCommand(context).line());
    rowlog.addSubcommand(withConfig(new RunCommand(context), Set.of("source.url", "source.tables", "source.password",
        "data.dir", "http.listen")));
    rowlog.addSubcommand(new StatusCommand(context));
    rowlog.addSubcommand(group("topic", "Topics of a data directory.",
        new TopicListCommand(context), new TopicDescribeCommand(context), new TopicReadCommand(context)));
    rowlog.addSubcommand(group("segment", "Segments of a topic.", new SegmentListCommand(context)));
    rowlog.addSubcommand(group("clean", "Cleaning.", new CleanRunCommand(context)));
    rowlog.addSubcommand(ReplayCommand.line(context));
    rowlog.addSubcommand(withConfig(new InitCommand(context), Set.of("source.url", "source.tables", "source.password",
        "source.publication")));
    rowlog.addSubcommand(group("config", "Configuration.",
        withConfig(new ConfigShowCommand(context), Set.of()), withConfig(new ConfigCheckCommand(context), Set.of())));
    return settled(rowlog, context);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), MISSING);
  }

  private static CommandLine withConfig(Object command, Set<String> shown) {
    CommandLine line = new CommandLine(command);
    ConfigOptions.addTo(line.getCommandSpec(), shown);
    return line;
  }

  /** A noun: its verbs do the work. */
  private static CommandLine group(String noun, String description, Object... verbs) {
    CommandSpec spec = CommandSpec.create().name(noun);
    spec.usageMessage().description(description);
    spec.addMixin("common", CommandSpec.forAnnotatedObject(new CommonOptions()));
    CommandLine line = new CommandLine(spec);
    for (Object verb : verbs) {
      line.addSubcommand(verb);
    }
    return line;
  }

  private static CommandLine settled(CommandLine rowlog, CommandContext context) {
    rowlog.setOut(new PrintWriter(context.output(), true, StandardCharsets.UTF_8));
    rowlog.setErr(new PrintWriter(context.error(), true, StandardCharsets.UTF_8));
    rowlog.setColorScheme(Help.defaultColorScheme(context.terminal() ? Help.Ansi.AUTO : Help.Ansi.OFF));
    rowlog.setUsageHelpWidth(Math.max(60, Math.min(100, context.columns())));
    rowlog.getCommandSpec().name(context.name().typed());
    HelpText.apply(rowlog.getCommandSpec(), context.name());
    rowlog.setParameterExceptionHandler((e, arguments) -> {
      boolean nothing = MISSING.equals(e.getMessage());
      context.error()
          .println("rowlog: " + context.name().in(oneLine(UnknownCommand.of(e).orElse(e.getMessage()))) + " ('"
              + e.getCommandLine().getCommandSpec().qualifiedName()
              + " --help' shows how)");
      if (nothing) {
        SHORT_USAGE.forEach(line -> context.error().println(context.name().in(line)));
      }
      return ExitCode.USAGE;
    });
    rowlog.setExecutionExceptionHandler((e, line, parsed) -> report(e, parsed, context));
    return rowlog;
  }

  private static int report(Exception e, ParseResult parsed, CommandContext context) {
    if (FailureReport.isBrokenPipe(e)) {
      return ExitCode.OK;
    }
    FailureReport report = FailureReport.of(e);
    report.lines().forEach(line -> context.error().println("rowlog: " + context.name().in(line)));
    if (isVerbose(parsed)) {
      e.printStackTrace(context.error());
    }
    return report.exitCode();
  }

  private static boolean isVerbose(ParseResult parsed) {
    for (ParseResult each = parsed; each != null; each = each.subcommand()) {
      if (each.hasMatchedOption("--verbose")) {
        return true;
      }
    }
    return false;
  }

  private static String oneLine(String message) {
    return String.join(" ", List.of(message.split("\\R")));
  }
}
