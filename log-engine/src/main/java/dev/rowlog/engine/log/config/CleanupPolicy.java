package dev.rowlog.engine.log.config;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code cleanup.policy}. */
public enum CleanupPolicy {
  DELETE(false, true, "delete"),
  COMPACT(true, false, "compact"),
  COMPACT_DELETE(true, true, "compact,delete");

  private final boolean compact;
  private final boolean delete;
  private final String configName;

  CleanupPolicy(boolean compact, boolean delete, String configName) {
    this.compact = compact;
    this.delete = delete;
    this.configName = configName;
  }

  public boolean compacts() {
    return compact;
  }

  public boolean deletes() {
    return delete;
  }

  /** Kafka's value of {@code cleanup.policy}. */
  public String configName() {
    return configName;
  }

  /**
   * In any order, as Kafka takes it.
   *
   * @throws dev.rowlog.engine.error.InvalidConfigException for anything but {@code compact} and {@code delete}
   */
  static CleanupPolicy parse(String key, String value) {
    Set<String> words = Arrays.stream(value.split(",")).map(String::strip).collect(Collectors.toSet());
    for (CleanupPolicy policy : values()) {
      if (words.equals(Set.of(policy.configName.split(",")))) {
        return policy;
      }
    }
    throw ConfigRange.invalid(key, value, "delete, compact or compact,delete");
  }
}
