package dev.rowlog.connector.config;

import dev.rowlog.connector.config.setting.ConfigException;
import dev.rowlog.connector.config.setting.Setting;
import dev.rowlog.connector.config.setting.Settings;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where health, status and API answer: {@code http.listen}.
 *
 * @param host without brackets
 * @param port 0 for any free one
 */
public record HttpConfig(boolean enabled, String host, int port) {
  private static final Pattern ADDRESS = Pattern.compile("(?:\\[([0-9a-fA-F:.%]+)]|([^\\[\\]:]*)):([0-9]{1,5})");

  public HttpConfig {
    Objects.requireNonNull(host, "host");
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port is not in 0 to 65535: " + port);
    }
  }

  static HttpConfig of(Settings settings) {
    Setting setting = settings.get("http.listen");
    if (setting.value().equals("off")) {
      return new HttpConfig(false, "127.0.0.1", 0);
    }
    Matcher address = ADDRESS.matcher(setting.value());
    if (!address.matches() || Integer.parseInt(address.group(3)) > 65_535) {
      throw ConfigException.badValue(setting, "must be host:port with a port from 0 to 65535, or off");
    }
    String host = address.group(1) != null ? address.group(1) : address.group(2);
    // A port alone must not open the API to the network.
    return new HttpConfig(true, host.isEmpty() ? "127.0.0.1" : host, Integer.parseInt(address.group(3)));
  }
}
