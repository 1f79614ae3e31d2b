package dev.rowlog.connector.config;

import dev.rowlog.connector.config.key.ConfigKey;
import dev.rowlog.connector.config.key.ConfigKeys;
import dev.rowlog.connector.config.setting.ConfigException;
import dev.rowlog.connector.config.setting.Problems;
import dev.rowlog.connector.config.setting.Setting;
import dev.rowlog.connector.config.setting.Settings;
import dev.rowlog.engine.error.InvalidConfigException;
import dev.rowlog.engine.log.config.LogConfig;
import java.util.Map;
import java.util.Objects;

/** Configuration of the mirrored logs: {@code topic.} and Kafka's key. */
public record TopicConfig(LogConfig log) {
  public TopicConfig {
    Objects.requireNonNull(log, "log");
  }

  /** What holds where nothing is set. */
  public static TopicConfig defaults() {
    LogConfig log = LogConfig.defaults();
    for (ConfigKey key : ConfigKeys.all()) {
      if (key.name().startsWith(ConfigKeys.TOPIC_PREFIX) && key.defaultText().isPresent()) {
        log = log.with(key.name().substring(ConfigKeys.TOPIC_PREFIX.length()), key.defaultText().get());
      }
    }
    return new TopicConfig(log);
  }

  /**
   * @throws ConfigException for a value outside its range
   */
  public static TopicConfig of(Settings settings) {
    Problems problems = new Problems();
    LogConfig log = LogConfig.defaults();
    for (Map.Entry<String, Setting> entry : settings.below(ConfigKeys.TOPIC_PREFIX).entrySet()) {
      LogConfig before = log;
      LogConfig after = problems.collect(() -> with(before, entry.getKey(), entry.getValue()));
      log = after == null ? before : after;
    }
    problems.throwIfAny();
    return new TopicConfig(log);
  }

  private static LogConfig with(LogConfig log, String key, Setting setting) {
    if (key.equals("cleanup.policy") && !setting.value().equals("compact")) {
      throw ConfigException.badValue(setting,
          "must be compact: deleting old segments would make a replay differ from the table");
    }
    try {
      return log.with(key, setting.value());
    } catch (InvalidConfigException e) {
      throw ConfigException.badValue(setting, Reason.of(e));
    }
  }
}
