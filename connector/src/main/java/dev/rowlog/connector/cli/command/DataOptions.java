package dev.rowlog.connector.cli.command;

import dev.rowlog.connector.config.DataConfig;
import dev.rowlog.connector.config.setting.ConfigLoader;
import dev.rowlog.connector.config.setting.ConfigSources;
import dev.rowlog.connector.config.setting.Settings;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.replay.DirectoryReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** Which data directory a command works on. */
public final class DataOptions {
  private static final String META = "meta.properties";

  @Option(names = "--data", paramLabel = "DIR", description = "Data directory, or a log directory of Kafka's. Default: data.dir of the configuration, else ./rowlog-data.")
  String data;

  @Option(names = "--config", paramLabel = "FILE", description = "Configuration file that names the data directory (or ROWLOG_CONFIG).")
  String config;

  public Settings settings(CommandContext context) {
    return settings(context, Map.of());
  }

  /**
   * @param flags of the command, by key
   */
  public Settings settings(CommandContext context, Map<String, String> flags) {
    Map<String, String> all = new HashMap<>(flags);
    if (data != null) {
      all.put("data.dir", data);
    }
    return ConfigLoader.settings(
        new ConfigSources(all, context.variables(), ConfigOptions.file(config, context)));
  }

  public Path directory(CommandContext context) {
    return DataConfig.of(settings(context)).directory();
  }

  /** The caller closes it. */
  public DirectoryReader open(CommandContext context) {
    return open(context.environment().disk(), directory(context));
  }

  /**
   * @throws CommandFailure where the folder holds no log and no sign that any process of ours or Kafka's made it a directory of logs
   */
  public static DirectoryReader open(Disk disk, Path directory) {
    DirectoryReader reader = DirectoryReader.open(disk, directory);
    if (reader.partitions().isEmpty() && !disk.exists(directory.resolve(META))) {
      reader.close();
      throw new CommandFailure(ExitCode.USAGE, directory + " is no data directory: it holds neither a log nor " + META
          + "; name the folder that 'rowlog run' writes to, or a log directory of Kafka's, with --data");
    }
    return reader;
  }
}
