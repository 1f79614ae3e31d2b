package dev.rowlog.connector.config;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

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
   * @throws ConfigException with the problem of each concern, not only the first one's
   */
  public static RowlogConfig of(Settings settings) {
    List<String> problems = new ArrayList<>();
    RowlogConfig config = new RowlogConfig(
        checked(settings, SourceConfig::of, problems),
        checked(settings, DataConfig::of, problems),
        checked(settings, TopicConfig::of, problems),
        checked(settings, CleanerSettings::of, problems),
        checked(settings, HttpConfig::of, problems),
        checked(settings, LoggingConfig::of, problems),
        checked(settings, TargetConfig::of, problems));
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return config;
  }

  private static <T> T checked(Settings settings, Function<Settings, T> concern, List<String> problems) {
    try {
      return concern.apply(settings);
    } catch (ConfigException e) {
      problems.addAll(e.problems());
      return null;
    }
  }
}
