package dev.rowlog.connector.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
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
