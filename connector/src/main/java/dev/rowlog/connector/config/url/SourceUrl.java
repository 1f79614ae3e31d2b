package dev.rowlog.connector.config.url;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The database to connect to, with every default filled in.
 *
 * @param password null where none was given
 * @param parameters further connection parameters by pgjdbc's names
 */
public record SourceUrl(
    String host, int port, String database, String user, String password, Map<String, String> parameters) {
  /** What is said where nothing names a database. */
  public static final String REQUIRED = "is required: postgres://user:password@host:port/database";

  public SourceUrl {
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(database, "database");
    Objects.requireNonNull(user, "user");
    parameters = Map.copyOf(parameters);
  }

  /**
   * Reads a URL, the {@code PG*} variables and defaults after libpq (PostgreSQL documentation, 32.1 and 32.15),
   * nearest first.
   *
   * @param url null where none is configured: then the variables must name at least host or database
   * @throws IllegalArgumentException with what is wrong, never with the URL itself
   */
  public static SourceUrl of(String url, Map<String, String> environment) {
    Map<String, String> parts = new TreeMap<>(LibpqVariables.parts(environment));
    if (url != null) {
      parts.putAll(SourceUrlParser.parse(url));
    } else if (!parts.containsKey("host") && !parts.containsKey("dbname")) {
      throw new IllegalArgumentException(REQUIRED);
    }
    String user = part(parts, "user").orElseGet(() -> environment.getOrDefault("USER", "postgres"));
    Map<String, String> parameters = new TreeMap<>();
    parts.forEach((name, value) -> LibpqParameters.put(parameters, name, value));
    return new SourceUrl(
        part(parts, "host").orElse("localhost"),
        port(part(parts, "port").orElse("5432")),
        part(parts, "dbname").orElse(user),
        user,
        parts.get("password"),
        parameters);
  }

  public SourceUrl withPassword(String newPassword) {
    return new SourceUrl(host, port, database, user, newPassword, parameters);
  }

  /** The URL's text with its password, and passwords among its options, replaced. */
  public static String withoutSecrets(String url) {
    return url.replaceAll("(?i)(://[^:/?#@]*):[^/?#]*@", "$1:********@")
        .replaceAll("(?i)([?&](?:ssl)?password=)[^&#]*", "$1********");
  }

  /** {@code host:port}, an IPv6 address in brackets. */
  public String address() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /** For pgjdbc; user, password and parameters go apart from it. */
  public String jdbcUrl() {
    return "jdbc:postgresql://" + address() + "/" + SourceUrlParser.encode(database);
  }

  private static Optional<String> part(Map<String, String> parts, String name) {
    return Optional.ofNullable(parts.get(name)).filter(text -> !text.isEmpty());
  }

  private static int port(String text) {
    if (text.matches("[0-9]{1,5}") && Integer.parseInt(text) >= 1 && Integer.parseInt(text) <= 65_535) {
      return Integer.parseInt(text);
    }
    throw new IllegalArgumentException("port '" + text + "' is not a number from 1 to 65535");
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "postgres://" + user + "@" + address() + "/" + database;
  }
}
