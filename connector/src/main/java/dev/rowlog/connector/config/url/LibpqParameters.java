package dev.rowlog.connector.config.url;

import dev.rowlog.engine.log.config.NearestName;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.postgresql.PGProperty;

/**
 * libpq's parameters by pgjdbc's names; a parameter that has no such name is an error, since leaving out a TLS setting
 * silently is not safe.
 */
final class LibpqParameters {
  /** Fields of {@link SourceUrl} of their own. */
  private static final Set<String> FIELDS = Set.of("host", "port", "dbname", "user", "password");

  private static final Map<String, String> TO_PGJDBC = Map.ofEntries(
      Map.entry("sslmode", "sslmode"),
      Map.entry("sslrootcert", "sslrootcert"),
      Map.entry("sslcert", "sslcert"),
      Map.entry("sslkey", "sslkey"),
      Map.entry("sslpassword", "sslpassword"),
      Map.entry("sslnegotiation", "sslNegotiation"),
      Map.entry("channel_binding", "channelBinding"),
      Map.entry("gssencmode", "gssEncMode"),
      Map.entry("application_name", "ApplicationName"),
      Map.entry("connect_timeout", "connectTimeout"),
      Map.entry("keepalives", "tcpKeepAlive"));

  private static final List<String> SSL_MODES = List.of("disable", "allow", "prefer", "require", "verify-ca",
      "verify-full");

  private LibpqParameters() {}

  static void check(String name) {
    if (FIELDS.contains(name) || TO_PGJDBC.containsKey(name) || isPgjdbc(name)) {
      return;
    }
    if (name.equals("options")) {
      throw new IllegalArgumentException("option options is not taken: Rowlog pins the session's settings itself");
    }
    Set<String> known = new TreeSet<>(TO_PGJDBC.keySet());
    known.addAll(FIELDS);
    Arrays.stream(PGProperty.values()).map(PGProperty::getName).forEach(known::add);
    String hint = NearestName.of(name, known).map(near -> ": did you mean " + near + "?").orElse("");
    throw new IllegalArgumentException("has an unknown option " + name + hint);
  }

  static void put(Map<String, String> parameters, String name, String value) {
    if (FIELDS.contains(name)) {
      return;
    }
    if (name.equals("sslmode") && !SSL_MODES.contains(value)) {
      throw new IllegalArgumentException("sslmode=" + value + ": must be one of " + String.join(", ", SSL_MODES));
    }
    if (name.equals("connect_timeout") && !value.matches("[0-9]{1,6}")) {
      throw new IllegalArgumentException("connect_timeout=" + value + ": must be a number of seconds");
    }
    String pgjdbc = TO_PGJDBC.getOrDefault(name, name);
    parameters.put(pgjdbc, name.equals("keepalives") ? String.valueOf(!value.equals("0")) : value);
  }

  private static boolean isPgjdbc(String name) {
    PGProperty property = PGProperty.forName(name);
    return property != null && property != PGProperty.OPTIONS;
  }
}
