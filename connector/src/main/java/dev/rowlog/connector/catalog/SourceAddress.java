package dev.rowlog.connector.catalog;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

/**
 * How to reach the source database. Never printed with its password.
 *
 * @param password null for none
 * @param driverProperties further connection properties of the PostgreSQL driver, such as {@code sslmode}
 */
public record SourceAddress(
    String host, int port, String database, String user, String password, Map<String, String> driverProperties) {
  private static final String APPLICATION = "rowlog";
  private static final String CONNECT_TIMEOUT_SECONDS = "10";

  public SourceAddress {
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(database, "database");
    Objects.requireNonNull(user, "user");
    driverProperties = Map.copyOf(driverProperties);
  }

  public String jdbcUrl() {
    String literal = host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    return "jdbc:postgresql://" + literal + ":" + port + "/"
        + java.net.URLEncoder.encode(database, StandardCharsets.UTF_8);
  }

  /** For the driver or a pool, without pins. */
  public Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("ApplicationName", APPLICATION);
    properties.setProperty("connectTimeout", CONNECT_TIMEOUT_SECONDS);
    properties.setProperty("tcpKeepAlive", "true");
    driverProperties.forEach(properties::setProperty);
    properties.setProperty("user", user);
    if (password != null) {
      properties.setProperty("password", password);
    }
    return properties;
  }

  @Override
  public String toString() {
    return "postgres://" + user + "@" + host + ":" + port + "/" + database;
  }
}
