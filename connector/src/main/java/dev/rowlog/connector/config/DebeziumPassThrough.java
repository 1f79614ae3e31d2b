package dev.rowlog.connector.config;

import dev.rowlog.connector.capture.PassThroughKeys;
import dev.rowlog.connector.config.key.ConfigKeys;
import dev.rowlog.connector.config.setting.ConfigException;
import dev.rowlog.connector.config.setting.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keys for Debezium's connector, without {@code source.debezium.}: handed over as they are.
 */
public record DebeziumPassThrough(Map<String, String> properties) {
  public DebeziumPassThrough {
    properties = Map.copyOf(properties);
  }

  /**
   * @throws ConfigException with each refused key
   */
  static DebeziumPassThrough of(Settings settings) {
    Map<String, String> properties = new TreeMap<>();
    List<String> problems = new ArrayList<>();
    settings.below(ConfigKeys.DEBEZIUM_PREFIX).forEach((key, setting) -> {
      PassThroughKeys.refusal(key).ifPresent(reason -> problems
          .add(setting.key() + " is refused: " + reason + " (from " + setting.origin() + ")"));
      properties.put(key, setting.value());
    });
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return new DebeziumPassThrough(properties);
  }
}
