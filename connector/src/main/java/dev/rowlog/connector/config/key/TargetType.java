package dev.rowlog.connector.config.key;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a target is. */
public enum TargetType {
  REDIS,
  OPENSEARCH,
  POSTGRES,
  JSONL;

  /** As it is spelled in the configuration. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<TargetType> parse(String text) {
    return Arrays.stream(values()).filter(type -> type.text().equals(text)).findFirst();
  }

  public static List<String> texts() {
    return Arrays.stream(values()).map(TargetType::text).toList();
  }
}
