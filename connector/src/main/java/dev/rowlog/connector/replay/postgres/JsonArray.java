package dev.rowlog.connector.replay.postgres;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** JSON texts side by side in one array, none of their bytes changed. Pure. */
final class JsonArray {
  private JsonArray() {}

  static String of(List<byte[]> elements) {
    ByteArrayOutputStream array = new ByteArrayOutputStream(elements.stream().mapToInt(element -> element.length + 1).sum() + 2);
    char separator = '[';
    for (byte[] element : elements) {
      array.write(separator);
      array.writeBytes(element);
      separator = ',';
    }
    if (elements.isEmpty()) {
      array.write('[');
    }
    array.write(']');
    return array.toString(StandardCharsets.UTF_8);
  }
}
