package dev.rowlog.connector.cli.config;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.command.CommonOptions;
import dev.rowlog.connector.cli.command.ConfigOptions;
import dev.rowlog.connector.cli.command.ExitCode;
import dev.rowlog.connector.config.RowlogConfig;
import dev.rowlog.connector.config.SourceConfig;
import dev.rowlog.connector.config.setting.ConfigException;
import dev.rowlog.connector.config.setting.LoadedSettings;
import dev.rowlog.connector.config.setting.Setting;
import dev.rowlog.connector.config.setting.Settings;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code config show}: the effective configuration, secrets masked. */
@Command(name = "show", description = "Print each key's effective value, secrets masked, and every problem of the configuration.", footer = {
    "", "Examples:", "  rowlog config show --config config/rowlog.properties", "  rowlog config show --origin"})
public final class ConfigShowCommand implements Callable<Integer> {
  private final CommandContext context;

  @Spec
  private CommandSpec spec;

  @Mixin
  CommonOptions common;

  @Option(names = "--origin", description = "Say where each value came from.")
  private boolean origin;

  @Option(names = "--json", description = "Print a JSON array.")
  private boolean json;

  public ConfigShowCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    LoadedSettings loaded = ConfigOptions.loaded(spec, context);
    print(loaded.settings());
    List<String> problems = problems(loaded);
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return ExitCode.OK;
  }

  /** All of them, but for a database that is not named yet: that is no mistake before a run. */
  private static List<String> problems(LoadedSettings loaded) {
    try {
      RowlogConfig.of(loaded);
      return List.of();
    } catch (ConfigException e) {
      return e.problems().stream().filter(problem -> !problem.equals(SourceConfig.URL_REQUIRED)).toList();
    }
  }

  private void print(Settings settings) {
    if (json) {
      ArrayNode array = JsonNodeFactory.instance.arrayNode();
      settings.all().forEach(setting -> array.addObject().put("key", setting.key()).put("value", setting.printable())
          .put("origin", setting.origin().toString()));
      context.out().println(array);
      return;
    }
    for (Setting setting : settings.all()) {
      context.out().println(setting.key() + "=" + setting.printable() + (origin ? "    # " + setting.origin() : ""));
    }
  }
}
