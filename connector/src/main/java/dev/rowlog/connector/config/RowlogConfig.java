package dev.rowlog.connector.config;

import dev.rowlog.connector.config.setting.ConfigException;
import dev.rowlog.connector.config.setting.ConfigLoader;
import dev.rowlog.connector.config.setting.ConfigSources;
import dev.rowlog.connector.config.setting.LoadedSettings;
import dev.rowlog.connector.config.setting.Problems;
import dev.rowlog.connector.config.setting.Settings;
import java.util.List;

/** Everything that {@code rowlog run} is configured with, checked. */
public record RowlogConfig(
    SourceConfig source,
    DataConfig data,
    TopicConfig topic,
    CleanerSettings cleaner,
    HttpConfig http,
    LoggingConfig logging,
    List<TargetConfig> targets) {

  /**
   * @throws ConfigException with every problem found
   */
  public static RowlogConfig load(ConfigSources sources) {
    return of(ConfigLoader.load(sources));
  }

  /**
   * @throws ConfigException with what was wrong with the sources, and then every bad value
   */
  public static RowlogConfig of(LoadedSettings loaded) {
    Problems problems = new Problems();
    loaded.problems().forEach(problems::add);
    RowlogConfig config = problems.collect(() -> of(loaded.settings()));
    if (!loaded.problems().isEmpty()) {
      // Most likely it stands under the mistyped key, or in the file that cannot be read.
      problems.remove(SourceConfig.URL_REQUIRED);
    }
    problems.throwIfAny();
    return config;
  }

  /**
   * @throws ConfigException with every bad value
   */
  public static RowlogConfig of(Settings settings) {
    Problems problems = new Problems();
    RowlogConfig config = new RowlogConfig(
        problems.collect(() -> SourceConfig.of(settings)),
        problems.collect(() -> DataConfig.of(settings)),
        problems.collect(() -> TopicConfig.of(settings)),
        problems.collect(() -> CleanerSettings.of(settings)),
        problems.collect(() -> HttpConfig.of(settings)),
        problems.collect(() -> LoggingConfig.of(settings)),
        problems.collect(() -> TargetConfig.of(settings)));
    problems.throwIfAny();
    return config;
  }
}
