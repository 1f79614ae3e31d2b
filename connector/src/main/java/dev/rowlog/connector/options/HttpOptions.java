package dev.rowlog.connector.options;

import java.util.Objects;

/**
 * Where the HTTP server listens.
 *
 * @param enabled false: no server, no {@code rowlog.api.json}
 * @param port 0 for any free one
 * @param token what writing requests must carry; null for a random one a run. Reads need it too where it is set.
 */
public record HttpOptions(boolean enabled, String host, int port, String token) {
  public HttpOptions {
    Objects.requireNonNull(host, "host");
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("http.listen: port " + port + " is outside 0 to 65535");
    }
  }

  /** Loopback, port 8080, a random token. */
  public static HttpOptions defaults() {
    return new HttpOptions(true, "127.0.0.1", 8080, null);
  }

  /** Without the token. */
  @Override
  public String toString() {
    return enabled ? host + ":" + port : "off";
  }
}
