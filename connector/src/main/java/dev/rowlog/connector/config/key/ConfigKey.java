package dev.rowlog.connector.config.key;

import java.util.Objects;
import java.util.Optional;

/**
 * A key of the configuration: the flag, the environment variable, the file and the documentation all come from it.
 *
 * @param name lower-case letters, digits and dots, so that the environment variable is one-to-one
 * @param defaultValue null where there is none
 * @param secret its value is never printed
 * @param description one sentence
 */
public record ConfigKey(String name, Tier tier, String defaultValue, boolean secret, String description) {
  public ConfigKey {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(tier, "tier");
    Objects.requireNonNull(description, "description");
    if (!name.matches("[a-z0-9]+(\\.[a-z0-9]+)*")) {
      throw new IllegalArgumentException("not a key name: " + name);
    }
  }

  public Optional<String> defaultText() {
    return Optional.ofNullable(defaultValue);
  }

  /** The variable that sets it: {@code ROWLOG_} and the name in capitals, dots as underscores. */
  public String environmentVariable() {
    return EnvironmentNames.variableOf(name);
  }
}
