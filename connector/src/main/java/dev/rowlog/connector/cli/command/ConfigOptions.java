package dev.rowlog.connector.cli.command;

import dev.rowlog.connector.config.key.ConfigKey;
import dev.rowlog.connector.config.key.ConfigKeys;
import dev.rowlog.connector.config.key.TargetKeys;
import dev.rowlog.connector.config.setting.ConfigException;
import dev.rowlog.connector.config.setting.ConfigLoader;
import dev.rowlog.connector.config.setting.ConfigSources;
import dev.rowlog.connector.config.setting.LoadedSettings;
import dev.rowlog.connector.config.setting.Settings;
import dev.rowlog.engine.log.config.NearestName;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Every configuration key as a flag of a command, {@code --config FILE}, and the keys that are passed through to
 * Debezium or belong to a target.
 */
public final class ConfigOptions {
  private static final String CONFIG = "--config";

  private ConfigOptions() {}

  /**
   * Adds the flags; those that are not known here are looked at by {@link #settings}.
   *
   * @param shown keys that the command's help explains; config/rowlog.properties explains all
   */
  public static void addTo(CommandSpec command, Set<String> shown) {
    command.addOption(OptionSpec.builder(CONFIG).paramLabel("FILE").type(String.class)
        .description("Configuration file, such as config/rowlog.properties (or ROWLOG_CONFIG).").build());
    for (ConfigKey key : ConfigKeys.all()) {
      command.addOption(OptionSpec.builder("--" + key.name()).paramLabel("VALUE").type(String.class)
          .hidden(!shown.contains(key.name()))
          .description(
              key.description().replace("%", "%%") + key.defaultText().map(text -> " Default: " + text).orElse(""))
          .build());
    }
    command.parser().unmatchedArgumentsAllowed(true);
    command.usageMessage().sortOptions(false);
  }

  /**
   * @throws ConfigException with every unknown key
   */
  public static Settings settings(CommandSpec command, CommandContext context) {
    LoadedSettings loaded = loaded(command, context);
    if (!loaded.problems().isEmpty()) {
      throw new ConfigException(loaded.problems());
    }
    return loaded.settings();
  }

  /** The settings with what is wrong with keys and flags, for those who tell bad values besides. */
  public static LoadedSettings loaded(CommandSpec command, CommandContext context) {
    CommandLine.ParseResult parsed = command.commandLine().getParseResult();
    Map<String, String> flags = new HashMap<>();
    for (ConfigKey key : ConfigKeys.all()) {
      String value = parsed.matchedOptionValue("--" + key.name(), null);
      if (value != null) {
        flags.put(key.name(), value);
      }
    }
    List<String> problems = new ArrayList<>();
    putPassedThrough(flags, command.commandLine().getUnmatchedArguments(), problems);
    LoadedSettings loaded = ConfigLoader.load(
        new ConfigSources(flags, context.variables(), file(parsed.matchedOptionValue(CONFIG, null), context)));
    problems.addAll(loaded.problems());
    return new LoadedSettings(loaded.settings(), problems);
  }

  /** The file that the flag or else {@code ROWLOG_CONFIG} names. */
  static Optional<Path> file(String flag, CommandContext context) {
    String name = flag != null ? flag : context.variables().get("ROWLOG_CONFIG");
    try {
      return Optional.ofNullable(name).filter(text -> !text.isBlank()).map(Path::of);
    } catch (InvalidPathException e) {
      throw new ConfigException("configuration file '" + name + "' is not a path");
    }
  }

  private static void putPassedThrough(Map<String, String> flags, List<String> arguments, List<String> problems) {
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      int equals = argument.indexOf('=');
      String name = equals < 0 ? argument : argument.substring(0, equals);
      if (!name.startsWith("--" + ConfigKeys.DEBEZIUM_PREFIX) && !name.startsWith("--" + TargetKeys.PREFIX)) {
        problems.add(unknown(name));
        // The value of a flag that nobody knows is no problem of its own.
        if (name.startsWith("-") && equals < 0 && i + 1 < arguments.size() && !arguments.get(i + 1).startsWith("-")) {
          i++;
        }
      } else if (equals >= 0) {
        flags.put(name.substring(2), argument.substring(equals + 1));
      } else if (i + 1 < arguments.size()) {
        flags.put(name.substring(2), arguments.get(++i));
      } else {
        problems.add(name + " needs a value");
      }
    }
  }

  private static String unknown(String argument) {
    if (!argument.startsWith("-")) {
      return "unexpected argument '" + argument + "'";
    }
    List<String> flags = ConfigKeys.all().stream().map(key -> "--" + key.name()).toList();
    return "unknown key or flag " + argument
        + NearestName.of(argument, flags).map(name -> ": did you mean " + name + "?").orElse(": --help lists them");
  }
}
