package dev.rowlog.connector.config.setting;

import java.util.List;

/**
 * The configuration does not hold: one line a problem, each with key, value, what is allowed and where the value came
 * from.
 */
public final class ConfigException extends RuntimeException {
  private final transient List<String> problems;

  public ConfigException(String problem) {
    this(List.of(problem));
  }

  public ConfigException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** A value that its key does not allow. */
  public static ConfigException badValue(Setting setting, String allowed) {
    return new ConfigException(
        setting.key() + "=" + setting.printable() + ": " + allowed + " (from " + setting.origin() + ")");
  }

  public List<String> problems() {
    return problems;
  }
}
