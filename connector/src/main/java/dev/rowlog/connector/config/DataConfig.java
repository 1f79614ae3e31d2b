package dev.rowlog.connector.config;

import dev.rowlog.connector.config.setting.ConfigException;
import dev.rowlog.connector.config.setting.Setting;
import dev.rowlog.connector.config.setting.Settings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Objects;

/** Where the logs lie: {@code data.dir}. */
public record DataConfig(Path directory) {
  public DataConfig {
    Objects.requireNonNull(directory, "directory");
  }

  /**
   * @throws ConfigException where the value is no path
   */
  public static DataConfig of(Settings settings) {
    Setting setting = settings.get("data.dir");
    try {
      if (!setting.value().isBlank()) {
        return new DataConfig(Path.of(setting.value()));
      }
    } catch (InvalidPathException e) {
      // Answered below.
    }
    throw ConfigException.badValue(setting, "must be the path of a folder");
  }
}
