package dev.rowlog.connector.mapping;

import dev.rowlog.connector.catalog.ColumnType;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One value as PostgreSQL's {@code to_json} prints it, from the text of its output function and its type (PostgreSQL {@code datum_to_json},
 * {@code array_to_json}, {@code composite_to_json}). Pure but for the buffer that it writes to.
 */
final class ValueJson {
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
  /** The pinned time zone is UTC, so that every timestamptz ends so, or so and with BC. */
  private static final String UTC_SUFFIX = "+00";
  private static final String BC_SUFFIX = " BC";

  private ValueJson() {}

  /**
   * @param text null for NULL
   * @throws IllegalArgumentException where the text is not what the type's output function prints
   */
  static void write(JsonBytes out, ColumnType type, String text) {
    // A chain of instanceof: a switch over patterns needs a newer Java than 17.
    if (text == null) {
      out.raw(NULL);
    } else if (type instanceof ColumnType.Text) {
      out.string(text);
    } else if (type instanceof ColumnType.Number) {
      number(out, text);
    } else if (type instanceof ColumnType.Bool) {
      bool(out, text);
    } else if (type instanceof ColumnType.Timestamp) {
      out.string(withT(text));
    } else if (type instanceof ColumnType.Timestamptz) {
      out.string(withFullOffset(withT(text)));
    } else if (type instanceof ColumnType.Date) {
      out.string(text);
    } else if (type instanceof ColumnType.Json) {
      out.raw(text);
    } else if (type instanceof ColumnType.Array array) {
      array(out, array, text);
    } else if (type instanceof ColumnType.Composite composite) {
      composite(out, composite.attributes(), text);
    } else if (type instanceof ColumnType.Hstore) {
      hstore(out, text);
    } else if (type instanceof ColumnType.ServerCast cast) {
      throw new IllegalArgumentException(
          "type " + cast.typeName() + " has a cast to json that only the server can run");
    }
  }

  private static void bool(JsonBytes out, String text) {
    switch (text) {
      case "t" -> out.raw(TRUE);
      case "f" -> out.raw(FALSE);
      default -> throw new IllegalArgumentException("not a boolean: " + text);
    }
  }

  private static void number(JsonBytes out, String text) {
    if (isJsonNumber(text)) {
      out.raw(text);
    } else {
      out.string(text);
    }
  }

  /** RFC 8259 number: NaN and the infinities are none. */
  static boolean isJsonNumber(String text) {
    int end = text.length();
    int i = end > 0 && text.charAt(0) == '-' ? 1 : 0;
    int digits = i;
    i = skipDigits(text, i);
    if (i == digits || text.charAt(digits) == '0' && i > digits + 1) {
      return false;
    }
    if (i < end && text.charAt(i) == '.') {
      int fraction = ++i;
      i = skipDigits(text, i);
      if (i == fraction) {
        return false;
      }
    }
    if (i < end && (text.charAt(i) == 'e' || text.charAt(i) == 'E')) {
      i++;
      if (i < end && (text.charAt(i) == '+' || text.charAt(i) == '-')) {
        i++;
      }
      int exponent = i;
      i = skipDigits(text, i);
      if (i == exponent) {
        return false;
      }
    }
    return i == end;
  }

  private static int skipDigits(String text, int from) {
    int i = from;
    while (i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9') {
      i++;
    }
    return i;
  }

  /** {@code infinity} has no blank and stays. */
  private static String withT(String text) {
    int blank = text.indexOf(' ');
    return blank < 0 ? text : text.substring(0, blank) + 'T' + text.substring(blank + 1);
  }

  private static String withFullOffset(String text) {
    boolean beforeChrist = text.endsWith(BC_SUFFIX);
    String moment = beforeChrist ? text.substring(0, text.length() - BC_SUFFIX.length()) : text;
    if (moment.endsWith(UTC_SUFFIX)) {
      return moment + ":00" + (beforeChrist ? BC_SUFFIX : "");
    }
    if (moment.endsWith("infinity")) {
      return moment;
    }
    throw new IllegalArgumentException(
        "a timestamptz that is not in UTC, so the session's time zone is not pinned: " + text);
  }

  private static void array(JsonBytes out, ColumnType.Array type, String text) {
    ArrayText array = new ArrayText(text, type.delimiter());
    out.raw('[');
    boolean first = true;
    for (ArrayText.Token token = array.next(); token != ArrayText.Token.END; token = array.next()) {
      if (token == ArrayText.Token.CLOSE) {
        out.raw(']');
        first = false;
        continue;
      }
      if (!first) {
        out.raw(',');
      }
      first = token == ArrayText.Token.OPEN;
      if (first) {
        out.raw('[');
      } else {
        write(out, type.element(), array.element());
      }
    }
    out.raw(']');
  }

  private static void composite(JsonBytes out, List<ColumnType.Attribute> attributes, String text) {
    CompositeText fields = new CompositeText(text);
    out.raw('{');
    for (int i = 0; i < attributes.size(); i++) {
      if (i > 0) {
        out.raw(',');
      }
      out.string(attributes.get(i).name());
      out.raw(':');
      write(out, attributes.get(i).type(), fields.next());
    }
    fields.expectEnd();
    out.raw('}');
  }

  /** hstore_to_json puts a blank after each colon and comma. */
  private static void hstore(JsonBytes out, String text) {
    HstoreText pairs = new HstoreText(text);
    out.raw('{');
    boolean first = true;
    while (pairs.next()) {
      if (!first) {
        out.raw(", ");
      }
      first = false;
      out.string(pairs.key());
      out.raw(": ");
      if (pairs.value() == null) {
        out.raw(NULL);
      } else {
        out.string(pairs.value());
      }
    }
    out.raw('}');
  }
}
