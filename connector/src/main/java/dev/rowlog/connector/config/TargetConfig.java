package dev.rowlog.connector.config;

import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.config.key.TargetKeys;
import dev.rowlog.connector.config.key.TargetType;
import dev.rowlog.connector.config.setting.ConfigException;
import dev.rowlog.connector.config.setting.Setting;
import dev.rowlog.connector.config.setting.Settings;
import dev.rowlog.engine.log.config.NearestName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One target: {@code target.<name>.*}. What a value means is its target's business; keys, type, tables and batch are checked here.
 *
 * @param values by key, without {@code target.<name>.}; never printed
 */
public record TargetConfig(String name, TargetType type, TablePatterns tables, int batchRows,
    Map<String, String> values) {
  private static final int MOST_ROWS = 1_000_000;

  public TargetConfig {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(tables, "tables");
    values = Map.copyOf(values);
  }

  /**
   * Every target that is configured, by name.
   *
   * @throws ConfigException with the problems of all
   */
  public static List<TargetConfig> of(Settings settings) {
    Map<String, Map<String, Setting>> byName = new TreeMap<>();
    settings.below(TargetKeys.PREFIX).forEach((rest, setting) -> byName
        .computeIfAbsent(rest.substring(0, rest.indexOf('.')), name -> new TreeMap<>())
        .put(rest.substring(rest.indexOf('.') + 1), setting));
    List<TargetConfig> targets = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    byName.forEach((name, given) -> {
      try {
        targets.add(of(name, given));
      } catch (ConfigException e) {
        problems.addAll(e.problems());
      }
    });
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return targets;
  }

  private static TargetConfig of(String name, Map<String, Setting> given) {
    String prefix = TargetKeys.PREFIX + name + ".";
    Setting typeSetting = given.get("type");
    if (typeSetting == null) {
      throw new ConfigException(prefix + "type is required: one of " + String.join(", ", TargetType.texts()));
    }
    TargetType type = TargetType.parse(typeSetting.value()).orElseThrow(() -> ConfigException.badValue(typeSetting,
        "must be one of " + String.join(", ", TargetType.texts())
            + NearestName.of(typeSetting.value(), TargetType.texts())
                .map(near -> "; did you mean " + near + "?").orElse("")));
    Map<String, String> values = new HashMap<>();
    for (TargetKeys.TargetKey key : TargetKeys.all()) {
      Setting setting = given.get(key.name());
      if (setting != null && !key.types().contains(type)) {
        throw new ConfigException(setting.key() + " is no key of a target of type " + type.text() + "; it has "
            + String.join(", ", keysOf(type)) + " (from " + setting.origin() + ")");
      }
      if (setting != null) {
        values.put(key.name(), setting.value());
      } else if (key.types().contains(type) && key.defaultValue() != null) {
        values.put(key.name(), key.defaultValue());
      }
    }
    requireKey(prefix, values, type == TargetType.JSONL ? "dir" : "url");
    return new TargetConfig(name, type, tables(given.get("tables"), values.get("tables")),
        rows(given.get("batch.rows"), values), values);
  }

  private static TreeSet<String> keysOf(TargetType type) {
    TreeSet<String> keys = new TreeSet<>();
    TargetKeys.all().stream().filter(key -> key.types().contains(type)).forEach(key -> keys.add(key.name()));
    return keys;
  }

  private static void requireKey(String prefix, Map<String, String> values, String key) {
    if (values.getOrDefault(key, "").isBlank()) {
      throw new ConfigException(prefix + key + " is required: " + TargetKeys.find(key).orElseThrow().description());
    }
  }

  private static TablePatterns tables(Setting setting, String text) {
    try {
      return TablePatterns.parse(text);
    } catch (IllegalArgumentException e) {
      throw ConfigException.badValue(setting, e.getMessage());
    }
  }

  private static int rows(Setting setting, Map<String, String> values) {
    String text = values.getOrDefault("batch.rows", "1");
    if (text.matches("[0-9]{1,7}") && Integer.parseInt(text) >= 1 && Integer.parseInt(text) <= MOST_ROWS) {
      return Integer.parseInt(text);
    }
    throw ConfigException.badValue(setting, "must be a whole number from 1 to " + MOST_ROWS);
  }

  public Optional<String> value(String key) {
    return Optional.ofNullable(values.get(key)).filter(text -> !text.isEmpty());
  }

  /** Without values: one may be a password. */
  @Override
  public String toString() {
    return TargetKeys.PREFIX + name + " (" + type.text() + ")";
  }
}
