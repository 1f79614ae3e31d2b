package dev.rowlog.connector.config;

import dev.rowlog.connector.config.key.ConfigKeys;
import dev.rowlog.connector.config.setting.ConfigException;
import dev.rowlog.connector.config.setting.Setting;
import dev.rowlog.connector.config.setting.Settings;
import dev.rowlog.engine.error.InvalidConfigException;
import dev.rowlog.engine.log.CleanerConfig;
import java.util.Map;
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
    CleanerConfig cleaner = CleanerConfig.defaults();
    for (Map.Entry<String, Setting> entry : settings.below(ConfigKeys.CLEANER_PREFIX).entrySet()) {
      try {
        cleaner = cleaner.with(ConfigKeys.CLEANER_PREFIX + entry.getKey(), entry.getValue().value());
      } catch (InvalidConfigException e) {
        throw ConfigException.badValue(entry.getValue(), Reason.of(e));
      }
    }
    return new CleanerSettings(cleaner);
  }
}
