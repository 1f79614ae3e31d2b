package dev.rowlog.connector.config.url;

import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * Takes a URL apart into libpq's parameters: {@code
 * postgres[ql]://[user[:password]@][host][:port][/dbname][?name=value&…]} with
 * percent-encoding (PostgreSQL documentation, 32.1.1.2), or pgjdbc's {@code
 * jdbc:postgresql://host:port/database?name=value&…}.
 */
final class SourceUrlParser {
  private static final String JDBC = "jdbc:postgresql:";

  private SourceUrlParser() {}

  static Map<String, String> parse(String url) {
    String rest = withoutScheme(url);
    Map<String, String> parts = new TreeMap<>();
    int question = rest.indexOf('?');
    String location = question < 0 ? rest : rest.substring(0, question);
    int slash = location.indexOf('/');
    String authority = slash < 0 ? location : location.substring(0, slash);
    if (slash >= 0 && slash + 1 < location.length()) {
      parts.put("dbname", decode(location.substring(slash + 1), "database"));
    }
    int at = authority.lastIndexOf('@');
    if (at >= 0) {
      putUser(parts, authority.substring(0, at));
    }
    putHost(parts, authority.substring(at + 1));
    if (question >= 0) {
      putOptions(parts, rest.substring(question + 1));
    }
    checkHost(parts.get("host"));
    return parts;
  }

  /** For a place behind a slash or in an option. */
  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String withoutScheme(String url) {
    for (String scheme : new String[]{"postgres://", "postgresql://", JDBC + "//"}) {
      if (url.startsWith(scheme)) {
        return url.substring(scheme.length());
      }
    }
    if (url.startsWith(JDBC)) {
      return "/" + url.substring(JDBC.length());
    }
    throw new IllegalArgumentException("must begin with postgres://, postgresql:// or jdbc:postgresql:");
  }

  private static void putUser(Map<String, String> parts, String userInfo) {
    int colon = userInfo.indexOf(':');
    if (colon >= 0) {
      parts.put("password", decode(userInfo.substring(colon + 1), "password"));
    }
    String user = colon < 0 ? userInfo : userInfo.substring(0, colon);
    if (!user.isEmpty()) {
      parts.put("user", decode(user, "user"));
    }
  }

  private static void putHost(Map<String, String> parts, String hostSpec) {
    if (hostSpec.contains(",")) {
      throw new IllegalArgumentException(
          "names several hosts; a replication slot lives on one server: name the primary");
    }
    String host = hostSpec;
    String port = "";
    if (hostSpec.startsWith("[")) {
      int bracket = hostSpec.indexOf(']');
      if (bracket < 0) {
        throw new IllegalArgumentException("IPv6 address without ']'");
      }
      host = hostSpec.substring(1, bracket);
      port = hostSpec.substring(bracket + 1);
      if (!port.isEmpty() && !port.startsWith(":")) {
        throw new IllegalArgumentException("expected ':' and a port behind the IPv6 address");
      }
    } else if (hostSpec.contains(":")) {
      host = hostSpec.substring(0, hostSpec.indexOf(':'));
      port = hostSpec.substring(hostSpec.indexOf(':'));
    }
    if (!host.isEmpty()) {
      parts.put("host", decode(host, "host"));
    }
    if (port.length() > 1) {
      parts.put("port", decode(port.substring(1), "port"));
    }
  }

  private static void putOptions(Map<String, String> parts, String query) {
    for (String option : query.split("&")) {
      int equals = option.indexOf('=');
      if (equals <= 0) {
        throw new IllegalArgumentException("option '" + option + "' is not of the form name=value");
      }
      String name = decode(option.substring(0, equals), "option");
      LibpqParameters.check(name);
      parts.put(name, decode(option.substring(equals + 1), "option " + name));
    }
  }

  private static void checkHost(String host) {
    if (host != null && host.startsWith("/")) {
      throw new IllegalArgumentException(
          "names a Unix socket, which Java's driver cannot open: give a host and a port");
    }
  }

  /** Percent-decoding; a plus sign stands for itself. */
  private static String decode(String text, String what) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < encoded.length; i++) {
      if (encoded[i] != '%') {
        bytes.write(encoded[i]);
        continue;
      }
      int high = i + 2 < encoded.length ? Character.digit(encoded[i + 1], 16) : -1;
      int low = i + 2 < encoded.length ? Character.digit(encoded[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        throw new IllegalArgumentException(
            "the " + what + " holds a '%' without two hexadecimal digits; a '%' itself is written %25");
      }
      bytes.write(high << 4 | low);
      i += 2;
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("the " + what + " is not UTF-8 after percent-decoding", e);
    }
  }
}
