package dev.rowlog.connector.replay.spi;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Takes a JSON object apart without changing a digit: strings unescaped, everything else as it is printed. Pure. */
public final class JsonFields {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonFields() {}

  /**
   * Field names to text, in order; null for JSON's null.
   *
   * @throws IOException where the bytes are no JSON object
   */
  public static Map<String, String> of(byte[] object) throws IOException {
    Map<String, String> fields = new LinkedHashMap<>();
    try (JsonParser parser = JSON.createParser(object)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("no JSON object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        fields.put(name, text(parser, object));
      }
    }
    return fields;
  }

  /**
   * Field names to JSON texts, in order: what stands there, with a string's quotes and escapes.
   *
   * @throws IOException where the bytes are no JSON object
   */
  public static Map<String, String> raw(byte[] object) throws IOException {
    Map<String, String> fields = new LinkedHashMap<>();
    try (JsonParser parser = JSON.createParser(object)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("no JSON object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken token = parser.nextToken();
        int start = (int) parser.currentTokenLocation().getByteOffset();
        int end;
        if (token == JsonToken.VALUE_STRING || token.isStructStart()) {
          parser.skipChildren();
          parser.finishToken();
          end = (int) parser.currentLocation().getByteOffset();
        } else {
          end = start + parser.getText().length();
        }
        fields.put(name, withBlanks(object, start, end));
      }
    }
    return fields;
  }

  /** The text with the blanks around it: in a row they belong to the value, since {@code to_json} puts none of its own there. */
  private static String withBlanks(byte[] object, int start, int end) {
    int from = start;
    int to = end;
    while (object[from - 1] != ':') {
      from--;
    }
    while (object[to] != ',' && object[to] != '}') {
      to++;
    }
    return new String(object, from, to - from, StandardCharsets.UTF_8);
  }

  /** A string as JSON prints it. */
  public static String quoted(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }

  private static String text(JsonParser parser, byte[] object) throws IOException {
    JsonToken token = parser.nextToken();
    if (token == JsonToken.VALUE_NULL) {
      return null;
    }
    if (!token.isStructStart()) {
      return parser.getText();
    }
    int start = (int) parser.currentTokenLocation().getByteOffset();
    parser.skipChildren();
    int end = (int) parser.currentLocation().getByteOffset();
    return new String(object, start, end - start, StandardCharsets.UTF_8);
  }
}
