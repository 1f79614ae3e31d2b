package dev.rowlog.connector.cli.config;

import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.command.CommonOptions;
import dev.rowlog.connector.cli.command.ConfigOptions;
import dev.rowlog.connector.cli.command.ExitCode;
import dev.rowlog.connector.config.RowlogConfig;
import dev.rowlog.connector.config.setting.ConfigException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code config check}: every problem of the configuration, without connecting to anything. */
@Command(name = "check", description = "Check the configuration without connecting to anything; name every problem.", footer = {
    "", "Example:", "  rowlog config check --config config/rowlog.properties"})
public final class ConfigCheckCommand implements Callable<Integer> {
  private final CommandContext context;

  @Spec
  private CommandSpec spec;

  @Mixin
  CommonOptions common;

  public ConfigCheckCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws ConfigException {
    RowlogConfig config = RowlogConfig.of(ConfigOptions.loaded(spec, context));
    context.out()
        .println("configuration is valid: " + config.source().tables() + " of " + config.source().url() + " into "
            + config.data().directory());
    return ExitCode.OK;
  }
}
