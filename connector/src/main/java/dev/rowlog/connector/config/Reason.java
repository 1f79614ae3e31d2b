package dev.rowlog.connector.config;

import dev.rowlog.engine.error.InvalidConfigException;

/** What the engine says of a value, without the key that it begins with. */
final class Reason {
  private Reason() {}

  static String of(InvalidConfigException e) {
    String prefix = e.key() + ": ";
    return e.getMessage().startsWith(prefix) ? e.getMessage().substring(prefix.length()) : e.getMessage();
  }
}
