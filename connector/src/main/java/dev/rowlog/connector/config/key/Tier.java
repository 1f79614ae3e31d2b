package dev.rowlog.connector.config.key;

/** How often people need a key: the three parts of {@code config/rowlog.properties}. */
public enum Tier {
  ESSENTIAL,
  FREQUENT,
  RARE
}
