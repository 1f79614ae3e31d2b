package dev.rowlog.connector.config;

import dev.rowlog.connector.config.key.ConfigKeys;
import dev.rowlog.connector.config.setting.ConfigException;
import dev.rowlog.connector.config.setting.Problems;
import dev.rowlog.connector.config.setting.Setting;
import dev.rowlog.connector.config.setting.Settings;
import dev.rowlog.engine.error.InvalidConfigException;
import dev.rowlog.engine.log.config.CleanerConfig;
import java.util.Objects;

/** Configuration of the cleaner: Kafka's broker keys {@code log.cleaner.*}. */
public record CleanerSettings(CleanerConfig cleaner) {
  public CleanerSettings {
    Objects.requireNonNull(cleaner, "cleaner");
  }

  /**
   * @throws ConfigException for a value outside its range
   */
  public static CleanerSettings of(Settings settings) {
    Problems problems = new Problems();
    CleanerConfig cleaner = CleanerConfig.defaults();
    for (Setting setting : settings.below(ConfigKeys.CLEANER_PREFIX).values()) {
      CleanerConfig before = cleaner;
      CleanerConfig after = problems.collect(() -> with(before, setting));
      cleaner = after == null ? before : after;
    }
    problems.throwIfAny();
    return new CleanerSettings(cleaner);
  }

  private static CleanerConfig with(CleanerConfig cleaner, Setting setting) {
    try {
      return cleaner.with(setting.key(), setting.value());
    } catch (InvalidConfigException e) {
      throw ConfigException.badValue(setting, Reason.of(e));
    }
  }
}
