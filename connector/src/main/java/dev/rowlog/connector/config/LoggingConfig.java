package dev.rowlog.connector.config;

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
    return new LoggingConfig(oneOf(settings.get("logging.level"), LEVELS),
        oneOf(settings.get("logging.format"), FORMATS), settings.wholeNumber("logging.rows", 0, MOST_ROWS));
  }

  private static String oneOf(Setting setting, List<String> allowed) {
    if (!allowed.contains(setting.value())) {
      throw ConfigException.badValue(setting, "must be one of " + String.join(", ", allowed));
    }
    return setting.value();
  }
}
