package dev.rowlog.connector.config;

import dev.rowlog.connector.config.setting.ConfigException;
import dev.rowlog.connector.config.setting.Problems;
import dev.rowlog.connector.config.setting.Setting;
import dev.rowlog.connector.config.setting.Settings;
import java.util.List;

/**
 * How the process logs: {@code logging.*}.
 *
 * @param rows records of each transaction that the log shows; 0 for none
 */
public record LoggingConfig(String level, String format, int rows) {
  private static final int MOST_ROWS = 100;
  private static final List<String> LEVELS = List.of("error", "warn", "info", "debug", "trace");
  private static final List<String> FORMATS = List.of("auto", "text", "json");

  static LoggingConfig of(Settings settings) {
    Problems problems = new Problems();
    String level = problems.collect(() -> oneOf(settings.get("logging.level"), LEVELS));
    String format = problems.collect(() -> oneOf(settings.get("logging.format"), FORMATS));
    Integer rows = problems.collect(() -> settings.wholeNumber("logging.rows", 0, MOST_ROWS));
    problems.throwIfAny();
    return new LoggingConfig(level, format, rows);
  }

  private static String oneOf(Setting setting, List<String> allowed) {
    if (!allowed.contains(setting.value())) {
      throw ConfigException.badValue(setting, "must be one of " + String.join(", ", allowed));
    }
    return setting.value();
  }
}
