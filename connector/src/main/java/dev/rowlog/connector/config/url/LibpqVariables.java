package dev.rowlog.connector.config.url;

import java.util.Map;
import java.util.TreeMap;

/** libpq's environment variables as its parameters (PostgreSQL documentation, 32.15). */
final class LibpqVariables {
  private static final Map<String, String> PARAMETERS = Map.ofEntries(
      Map.entry("PGHOST", "host"),
      Map.entry("PGPORT", "port"),
      Map.entry("PGDATABASE", "dbname"),
      Map.entry("PGUSER", "user"),
      Map.entry("PGPASSWORD", "password"),
      Map.entry("PGSSLMODE", "sslmode"),
      Map.entry("PGSSLROOTCERT", "sslrootcert"),
      Map.entry("PGSSLCERT", "sslcert"),
      Map.entry("PGSSLKEY", "sslkey"),
      Map.entry("PGSSLNEGOTIATION", "sslnegotiation"),
      Map.entry("PGCHANNELBINDING", "channel_binding"),
      Map.entry("PGGSSENCMODE", "gssencmode"),
      Map.entry("PGAPPNAME", "application_name"),
      Map.entry("PGCONNECT_TIMEOUT", "connect_timeout"));

  private LibpqVariables() {}

  static Map<String, String> parts(Map<String, String> environment) {
    Map<String, String> parts = new TreeMap<>();
    PARAMETERS.forEach((variable, parameter) -> {
      String value = environment.get(variable);
      if (value != null && !value.isEmpty()) {
        parts.put(parameter, value);
      }
    });
    return parts;
  }
}
