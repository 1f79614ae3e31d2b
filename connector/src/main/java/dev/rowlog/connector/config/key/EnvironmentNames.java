package dev.rowlog.connector.config.key;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Keys as environment variables: {@code ROWLOG_}, capitals, a dot as {@code _}. In keys that are passed through, an
 * underscore is {@code __} and a
 * hyphen {@code ___} (the rule of Kafka's Docker image); a key with capitals is written in its own case behind the
 * prefix.
 */
public final class EnvironmentNames {
  static final String PREFIX = "ROWLOG_";
  public static final String FILE_SUFFIX = "_FILE";

  /** The launcher's own variables, and the configuration file's. */
  private static final Set<String> RESERVED = Set.of("ROWLOG_CONFIG", "ROWLOG_HOME", "ROWLOG_HEAP",
      "ROWLOG_DIRECT_MEMORY", "ROWLOG_JAVA_OPTS");

  /** Kubernetes sets these for a service that is called rowlog. */
  private static final Pattern KUBERNETES = Pattern
      .compile("ROWLOG_([A-Z0-9_]+_)?(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT(_[0-9]+_(TCP|UDP|SCTP)(_.*)?)?)");

  private static final String DEBEZIUM = variableOf(ConfigKeys.DEBEZIUM_PREFIX);

  private EnvironmentNames() {}

  static String variableOf(String key) {
    return PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_');
  }

  /** The key that a variable sets; empty where the variable is not meant for the configuration. */
  public static Optional<String> keyOf(String variable) {
    if (!variable.startsWith(PREFIX) || RESERVED.contains(variable) || KUBERNETES.matcher(variable).matches()) {
      return Optional.empty();
    }
    if (variable.startsWith(DEBEZIUM) && variable.length() > DEBEZIUM.length()) {
      return Optional.of(ConfigKeys.DEBEZIUM_PREFIX + passedThrough(variable.substring(DEBEZIUM.length())));
    }
    return Optional.of(variable.substring(PREFIX.length()).toLowerCase(Locale.ROOT).replace('_', '.'));
  }

  private static String passedThrough(String name) {
    String cased = name.chars().anyMatch(c -> c >= 'a' && c <= 'z') ? name : name.toLowerCase(Locale.ROOT);
    StringBuilder key = new StringBuilder(cased.length());
    for (int i = 0; i < cased.length(); i++) {
      if (cased.startsWith("___", i)) {
        key.append('-');
        i += 2;
      } else if (cased.startsWith("__", i)) {
        key.append('_');
        i++;
      } else {
        key.append(cased.charAt(i) == '_' ? '.' : cased.charAt(i));
      }
    }
    return key.toString();
  }
}
