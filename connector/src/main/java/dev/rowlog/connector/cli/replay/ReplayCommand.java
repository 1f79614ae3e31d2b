package dev.rowlog.connector.cli.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.command.CommandFailure;
import dev.rowlog.connector.cli.command.CommonOptions;
import dev.rowlog.connector.cli.command.DataOptions;
import dev.rowlog.connector.cli.command.ExitCode;
import dev.rowlog.connector.cli.command.Logging;
import dev.rowlog.connector.config.DataConfig;
import dev.rowlog.connector.config.TargetConfig;
import dev.rowlog.connector.config.key.TargetKeys;
import dev.rowlog.connector.config.key.TargetType;
import dev.rowlog.connector.config.setting.Settings;
import dev.rowlog.connector.replay.jsonl.JsonlExport;
import dev.rowlog.connector.replay.loop.ReplayLimits;
import dev.rowlog.connector.replay.loop.ReplayLoop;
import dev.rowlog.connector.replay.loop.ReplayRun;
import dev.rowlog.connector.replay.loop.ReplayView;
import dev.rowlog.connector.replay.setup.TargetOpening;
import dev.rowlog.connector.replay.spi.ReplayTable;
import dev.rowlog.connector.replay.spi.Target;
import dev.rowlog.connector.text.Quantity;
import dev.rowlog.engine.log.config.NearestName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay}: brings a target up to the last commit, beside the process that mirrors. */
@Command(name = "replay", description = {
    "Bring a target up to the logs' last commit: from offset zero, or from where it says it stands.",
    "Works beside a running process, and on a directory that nobody holds."}, footer = {
        "", "Examples:",
        "  rowlog replay redis --url redis://127.0.0.1:6379 --tables 'public.*'",
        "  rowlog replay redis --url redis://127.0.0.1:6379 --key 'product:{id}' --tables public.products --value hash --follow",
        "  rowlog replay opensearch --url http://127.0.0.1:9200",
        "  rowlog replay postgres --url postgres://me@127.0.0.1/copy --schema mirror",
        "  rowlog replay jsonl --dir ./export",
        "  rowlog replay cache --config config/rowlog.properties     (a target of that name, target.cache.type=…)",
        "", "Ctrl-C ends it at a commit; started again it goes on. docs/targets.md explains each target."})
public final class ReplayCommand implements Callable<Integer> {
  private static final int ATTEMPTS = 8;
  /** Share of the heap that the keys of an export may take. */
  private static final int HEAP_SHARE = 4;

  private final CommandContext context;

  @Spec
  private CommandSpec spec;

  @Mixin
  CommonOptions common;

  @Mixin
  private DataOptions data;

  @Parameters(index = "0", paramLabel = "TARGET", description = "redis, opensearch, postgres, jsonl, or the name of a configured target.")
  private String target;

  @Option(names = "--follow", description = "Go on with new commits until Ctrl-C.")
  private boolean follow;

  @Option(names = "--rebuild", description = "Build every table again beside what is there, and replace it.")
  private boolean rebuild;

  @Option(names = "--json", description = "Print the result as one JSON object.")
  private boolean json;

  private ReplayCommand(CommandContext context) {
    this.context = context;
  }

  /** With a flag for each key of a target. */
  public static CommandLine line(CommandContext context) {
    CommandLine line = new CommandLine(new ReplayCommand(context));
    for (TargetKeys.TargetKey key : TargetKeys.all()) {
      line.getCommandSpec().addOption(OptionSpec.builder("--" + key.name()).paramLabel("VALUE").type(String.class)
          .description(key.description()
              + key.defaultText().filter(text -> !text.isEmpty()).map(text -> " Default: " + text).orElse(""))
          .build());
    }
    line.getCommandSpec().usageMessage().sortOptions(false);
    // Looked at by the command itself, which names the nearest.
    line.getCommandSpec().parser().unmatchedArgumentsAllowed(true);
    return line;
  }

  @Override
  public Integer call() {
    ensureKnown(spec.commandLine().getUnmatchedArguments());
    Settings settings = settings();
    TargetConfig config = TargetConfig.of(settings).stream().filter(each -> each.name().equals(target)).findFirst()
        .orElseThrow();
    Path directory = DataConfig.of(settings).directory();
    Logging.quiet(common.verbose);
    context.stop().arm();
    try (ReplayScreen screen = new ReplayScreen(context.error(), context.errorTerminal(), context.columns(),
        context.environment().nanoClock())) {
      return config.type() == TargetType.JSONL ? export(config, directory, screen) : replay(config, directory, screen);
    }
  }

  private static void ensureKnown(List<String> unmatched) {
    if (!unmatched.isEmpty()) {
      String name = unmatched.get(0).replaceFirst("=.*", "");
      List<String> flags = TargetKeys.all().stream().map(key -> "--" + key.name()).toList();
      throw new CommandFailure(ExitCode.USAGE, "unknown flag " + name
          + NearestName.of(name, flags).map(near -> ": did you mean " + near + "?").orElse(": --help lists them"));
    }
  }

  /** The configuration, with this command's flags as keys of the target. */
  private Settings settings() {
    Map<String, String> flags = new HashMap<>();
    String prefix = TargetKeys.PREFIX + target + ".";
    for (TargetKeys.TargetKey key : TargetKeys.all()) {
      String value = spec.commandLine().getParseResult().matchedOptionValue("--" + key.name(), null);
      if (value != null) {
        flags.put(prefix + key.name(), value);
      }
    }
    Settings configured = data.settings(context);
    if (configured.find(prefix + "type").isEmpty() && !flags.containsKey(prefix + "type")) {
      flags.put(prefix + "type", TargetType.parse(target).orElseThrow(() -> unknown(configured)).text());
    }
    return data.settings(context, flags);
  }

  private CommandFailure unknown(Settings configured) {
    List<String> names = new ArrayList<>(Arrays.stream(TargetType.values()).map(TargetType::text).toList());
    configured.below(TargetKeys.PREFIX).keySet().forEach(key -> names.add(key.substring(0, key.indexOf('.'))));
    return new CommandFailure(ExitCode.USAGE,
        "no target " + target + ": neither a type nor configured as " + TargetKeys.PREFIX + target
            + ".type" + NearestName.of(target, names).map(near -> "; did you mean " + near + "?").orElse(""));
  }

  private int replay(TargetConfig config, Path directory, ReplayScreen screen) {
    Target opened = TargetOpening.of(config);
    try (ReplayLoop loop = new ReplayLoop(context.environment().disk(), directory, config.tables(), opened,
        ReplayLimits.ofRows(config.batchRows()), rebuild, screen, context.stop()::isGiven)) {
      ReplayRun run = new ReplayRun(loop, screen, context.stop()::await, follow ? Integer.MAX_VALUE : ATTEMPTS);
      ReplayRun.End end = run.run(follow);
      if (end == ReplayRun.End.NOT_READY) {
        throw new CommandFailure(ExitCode.ENVIRONMENT, loop.notReady() + "; --follow waits for it");
      }
      requireMatches(config.tables(), loop.unmatched(), loop.tables());
      report(opened.describe(), loop.tables(), screen, end == ReplayRun.End.UP_TO_DATE);
    }
    return context.stop().isGiven() ? context.stop().exitCode() : ExitCode.OK;
  }

  private int export(TargetConfig config, Path directory, ReplayScreen screen) {
    if (follow) {
      throw new CommandFailure(ExitCode.USAGE, "jsonl writes files once: leave --follow out");
    }
    try (ReplayView view = ReplayView.open(context.environment().disk(), directory, config.tables())) {
      if (view.notReady().isPresent()) {
        throw new CommandFailure(ExitCode.ENVIRONMENT, view.notReady().get());
      }
      requireMatches(config.tables(), view.unmatched(), view.tables());
      Path folder = Path.of(config.value("dir").orElseThrow());
      Map<Path, Long> rows = new JsonlExport(folder, Runtime.getRuntime().maxMemory() / HEAP_SHARE, screen,
          context.stop()::isGiven)
          .write(view);
      if (context.stop().isGiven()) {
        return context.stop().exitCode();
      }
      screen.clear();
      if (!json) {
        rows.forEach((file, count) -> context.out().println(file + "  " + Quantity.count(count) + " rows"));
      }
      report(folder.toString(), view.tables(), screen, true);
    }
    return ExitCode.OK;
  }

  private static void requireMatches(TablePatterns patterns, List<String> unmatched, List<ReplayTable> tables) {
    if (tables.isEmpty() || !unmatched.isEmpty() && !patterns.hasWildcards()) {
      throw new CommandFailure(ExitCode.USAGE,
          "no mirrored table matches " + (unmatched.isEmpty() ? patterns.toString() : String.join(", ", unmatched))
              + ": 'rowlog topic list' shows what is there");
    }
  }

  private void report(String where, List<ReplayTable> tables, ReplayScreen screen, boolean isUpToDate) {
    screen.clear();
    if (!json) {
      context.out()
          .println((isUpToDate ? "✓ " : "stopped: ") + where + ": " + Quantity.count(tables.size())
              + (tables.size() == 1 ? " table" : " tables")
              + (isUpToDate ? " up to date, " : ", ") + screen.summary());
      return;
    }
    ObjectNode result = JsonNodeFactory.instance.objectNode().put("target", target).put("up_to_date", isUpToDate)
        .put("records", screen.records()).put("elapsed_ms", screen.elapsedMs());
    ArrayNode listed = result.putArray("tables");
    tables.forEach(table -> listed.add(table.id().toString()));
    context.out().println(result);
  }
}
