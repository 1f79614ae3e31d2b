package dev.rowlog.connector.config;

import dev.rowlog.connector.config.setting.ConfigException;
import dev.rowlog.connector.config.setting.Problems;
import dev.rowlog.connector.config.setting.Setting;
import dev.rowlog.connector.config.setting.Settings;
import java.util.List;

/** How the process logs: {@code logging.*}. */
public record LoggingConfig(String level, String format) {
  private static final List<String> LEVELS = List.of("error", "warn", "info", "debug", "trace");
  private static final List<String> FORMATS = List.of("auto", "text", "json");

  static LoggingConfig of(Settings settings) {
    Problems problems = new Problems();
    String level = problems.collect(() -> oneOf(settings.get("logging.level"), LEVELS));
    String format = problems.collect(() -> oneOf(settings.get("logging.format"), FORMATS));
    problems.throwIfAny();
    return new LoggingConfig(level, format);
  }

  private static String oneOf(Setting setting, List<String> allowed) {
    if (!allowed.contains(setting.value())) {
      throw ConfigException.badValue(setting, "must be one of " + String.join(", ", allowed));
    }
    return setting.value();
  }
}
