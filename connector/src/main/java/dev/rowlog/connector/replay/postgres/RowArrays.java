package dev.rowlog.connector.replay.postgres;

import dev.rowlog.connector.replay.spi.JsonFields;
import dev.rowlog.connector.replay.spi.TargetException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Rows as one JSON array, none of their bytes changed, and columns that go apart from it as arrays in the same order.
 *
 * @param rows the JSON array
 * @param apart for each column that goes apart its JSON texts, null for JSON's null
 */
record RowArrays(boolean isEmpty, String rows, List<String[]> apart) {

  static RowArrays of(List<byte[]> objects, List<String> columnsApart) {
    List<String[]> apart = new ArrayList<>();
    columnsApart.forEach(column -> apart.add(new String[objects.size()]));
    ByteArrayOutputStream array = new ByteArrayOutputStream(
        objects.stream().mapToInt(object -> object.length + 1).sum() + 2);
    array.write('[');
    for (int row = 0; row < objects.size(); row++) {
      if (row > 0) {
        array.write(',');
      }
      array.writeBytes(apart.isEmpty() ? objects.get(row) : without(objects.get(row), columnsApart, apart, row));
    }
    array.write(']');
    return new RowArrays(objects.isEmpty(), array.toString(StandardCharsets.UTF_8), apart);
  }

  /** The object without those columns, which are put into their arrays. */
  private static byte[] without(byte[] object, List<String> columnsApart, List<String[]> apart, int row) {
    try {
      StringBuilder rest = new StringBuilder(object.length);
      char separator = '{';
      for (Map.Entry<String, String> field : JsonFields.raw(object).entrySet()) {
        int column = columnsApart.indexOf(field.getKey());
        if (column >= 0) {
          apart.get(column)[row] = field.getValue().equals("null") ? null : field.getValue();
        } else {
          rest.append(separator).append(JsonFields.quoted(field.getKey())).append(':').append(field.getValue());
          separator = ',';
        }
      }
      return rest.append(separator == '{' ? "{}" : "}").toString().getBytes(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw TargetException.refused("a row is no JSON object: " + new String(object, StandardCharsets.UTF_8), e);
    }
  }
}
