package dev.rowlog.connector.config.setting;

import dev.rowlog.connector.config.key.ConfigKeys;
import dev.rowlog.connector.config.key.TargetKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The effective settings by key, known keys only. Immutable. */
public final class Settings {
  private final Map<String, Setting> byKey;
  private final Map<String, String> environment;

  /**
   * @param environment the process's variables: the {@code PG*} ones fill what {@code source.url} leaves out
   */
  Settings(Map<String, Setting> byKey, Map<String, String> environment) {
    this.byKey = Map.copyOf(byKey);
    this.environment = Map.copyOf(environment);
  }

  public Optional<Setting> find(String key) {
    return Optional.ofNullable(byKey.get(key));
  }

  /** A key that has a default. */
  public Setting get(String key) {
    return find(key).orElseThrow(() -> new IllegalStateException("key without a default: " + key));
  }

  public String text(String key) {
    return get(key).value();
  }

  /** The settings whose keys begin so, by the rest of the key, sorted. */
  public Map<String, Setting> below(String prefix) {
    Map<String, Setting> found = new TreeMap<>();
    byKey.forEach((key, setting) -> {
      if (key.startsWith(prefix)) {
        found.put(key.substring(prefix.length()), setting);
      }
    });
    return found;
  }

  /** Every setting in the order of the documentation, targets and passed-through ones last. */
  public List<Setting> all() {
    List<Setting> listed = new ArrayList<>();
    ConfigKeys.all().forEach(key -> find(key.name()).ifPresent(listed::add));
    below(TargetKeys.PREFIX).values().forEach(listed::add);
    below(ConfigKeys.DEBEZIUM_PREFIX).values().forEach(listed::add);
    return List.copyOf(listed);
  }

  public Map<String, String> environment() {
    return environment;
  }

  public int wholeNumber(String key, int least, int largest) {
    Setting setting = get(key);
    try {
      int value = Integer.parseInt(setting.value());
      if (value >= least && value <= largest) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Answered below: the same sentence as for a number out of range.
    }
    throw ConfigException.badValue(setting, "must be a whole number from " + least + " to " + largest);
  }
}
