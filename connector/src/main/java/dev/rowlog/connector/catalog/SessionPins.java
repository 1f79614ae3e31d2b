package dev.rowlog.connector.catalog;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TimeZone;

/**
 * The settings under which PostgreSQL's text of a value is always the same, whatever the database, the role or the machine has set (D3). Put
 * on every connection: ours, Debezium's and the replication connections. Immutable.
 */
public final class SessionPins {
  private static final int IDLE_SESSION_TIMEOUT_SINCE = 14;
  private static final int TRANSACTION_TIMEOUT_SINCE = 17;

  private final Map<String, String> settings;

  private SessionPins(Map<String, String> settings) {
    this.settings = settings;
  }

  /**
   * What a server of this version knows.
   *
   * @param majorVersion such as 18
   */
  public static SessionPins of(int majorVersion) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("TimeZone", "UTC");
    settings.put("DateStyle", "ISO");
    settings.put("IntervalStyle", "postgres");
    settings.put("bytea_output", "hex");
    settings.put("extra_float_digits", "1");
    settings.put("lc_monetary", "C");
    settings.put("search_path", "");
    settings.put("row_security", "off");
    settings.put("statement_timeout", "0");
    settings.put("idle_in_transaction_session_timeout", "0");
    if (majorVersion >= IDLE_SESSION_TIMEOUT_SINCE) {
      settings.put("idle_session_timeout", "0");
    }
    if (majorVersion >= TRANSACTION_TIMEOUT_SINCE) {
      settings.put("transaction_timeout", "0");
    }
    return new SessionPins(settings);
  }

  /** By name, as {@code current_setting} shows them. */
  public Map<String, String> settings() {
    return Map.copyOf(settings);
  }

  /** The driver's connection property {@code options}. */
  public String options() {
    StringBuilder options = new StringBuilder();
    settings
        .forEach((name, value) -> options.append(options.isEmpty() ? "" : " ").append("-c ").append(name).append('=')
            .append(value));
    return options.toString();
  }

  /**
   * What a connection of ours runs first: the driver sends the JVM's time zone and more digits of its own accord, and that wins over
   * {@link #options}.
   */
  public String initSql() {
    return "set TimeZone = 'UTC'; set DateStyle = 'ISO'; set extra_float_digits = 1";
  }

  /**
   * Debezium's connections cannot run {@link #initSql}, so that theirs have the JVM's zone.
   *
   * @throws IllegalStateException where that is not UTC
   */
  public static void requireUtcJvm() {
    TimeZone zone = TimeZone.getDefault();
    if (!zone.hasSameRules(TimeZone.getTimeZone("UTC"))) {
      throw new IllegalStateException("the JVM's time zone is " + zone.getID()
          + ", and the PostgreSQL driver hands it to the server, so that ranges of timestamptz would be printed in it: start Java with"
          + " -Duser.timezone=UTC");
    }
  }
}
