package dev.rowlog.connector.replay.spi;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A row's key as text, for targets whose keys are one string. Two keys never give one text: {@code :} and {@code %} inside
 * a value become {@code %3A} and {@code %25}. Pure.
 */
public final class KeyValues {
  private KeyValues() {}

  /** The key's values by column, in the key's order, escaped: text without quotes, everything else as JSON prints it. */
  public static Map<String, String> of(TargetRow row) {
    try {
      Map<String, String> values = new LinkedHashMap<>(JsonFields.of(row.key()));
      values.replaceAll((column, text) -> escaped(String.valueOf(text)));
      return values;
    } catch (IOException e) {
      throw TargetException.refused("the key at offset " + row.offset() + " is no JSON object: " + row.keyText(), e);
    }
  }

  /** All of them, with {@code :} between. */
  public static String joined(TargetRow row) {
    return String.join(":", of(row).values());
  }

  public static String escaped(String text) {
    return text.replace("%", "%25").replace(":", "%3A");
  }
}
