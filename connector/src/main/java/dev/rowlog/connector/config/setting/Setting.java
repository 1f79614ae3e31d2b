package dev.rowlog.connector.config.setting;

import dev.rowlog.connector.config.key.ConfigKeys;
import dev.rowlog.connector.config.key.TargetKeys;
import dev.rowlog.connector.config.url.SourceUrl;
import java.util.Objects;

/** A key's effective value and where it came from. */
public record Setting(String key, String value, Origin origin) {
  public Setting {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(origin, "origin");
  }

  /** The value as it may be printed: no password in it. */
  public String printable() {
    if (ConfigKeys.isSecret(key)) {
      return "********";
    }
    return key.equals("source.url") || key.startsWith(TargetKeys.PREFIX) ? SourceUrl.withoutSecrets(value) : value;
  }

  @Override
  public String toString() {
    return key + "=" + printable() + " (" + origin + ")";
  }
}
