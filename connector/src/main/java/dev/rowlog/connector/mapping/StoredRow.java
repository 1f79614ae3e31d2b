package dev.rowlog.connector.mapping;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A row as {@link RowJson} wrote it, taken apart: the bytes of each column's value, just as they stand. Columns and order have to be those of the row's own
 * definition. Immutable.
 */
final class StoredRow {
  private final byte[] json;
  private final int[] ends;
  private final byte[][] labels;

  private StoredRow(byte[] json, byte[][] labels, int[] ends) {
    this.json = json;
    this.labels = labels;
    this.ends = ends;
  }

  /**
   * @param labels of the columns in the table's order, each as it stands in a row: quoted, with the colon
   * @throws IllegalArgumentException where the row has other columns
   */
  static StoredRow parse(byte[] json, byte[][] labels) {
    int[] ends = new int[labels.length];
    int at = 0;
    for (int i = 0; i < labels.length; i++) {
      at = expect(json, at, new byte[]{(byte) (i == 0 ? '{' : ',')}, labels, i);
      at = expect(json, at, labels[i], labels, i);
      at = endOfValue(json, at);
      ends[i] = at;
    }
    if (at != json.length - 1 || json[at] != '}') {
      throw new IllegalArgumentException("the last row has more columns than the table");
    }
    return new StoredRow(json, labels, ends);
  }

  private static int expect(byte[] json, int at, byte[] wanted, byte[][] labels, int column) {
    int end = at + wanted.length;
    if (end > json.length || !Arrays.equals(json, at, end, wanted, 0, wanted.length)) {
      throw new IllegalArgumentException("the last row has other columns than the table: no "
          + new String(labels[column], StandardCharsets.UTF_8) + " at byte " + at);
    }
    return end;
  }

  /** Values of json columns keep their blanks and may be anything that nests: the value ends before a comma or brace of the row itself. */
  private static int endOfValue(byte[] json, int from) {
    int depth = 0;
    for (int i = from; i < json.length; i++) {
      switch (json[i]) {
        case '"' -> i = endOfString(json, i);
        case '{', '[' -> depth++;
        case ']' -> depth--;
        case '}' -> {
          if (depth == 0) {
            return i;
          }
          depth--;
        }
        case ',' -> {
          if (depth == 0) {
            return i;
          }
        }
        default -> {
        }
      }
    }
    throw new IllegalArgumentException("the last row ends within a value");
  }

  /** Index of the closing quote. */
  private static int endOfString(byte[] json, int open) {
    for (int i = open + 1; i < json.length; i++) {
      if (json[i] == '\\') {
        i++;
      } else if (json[i] == '"') {
        return i;
      }
    }
    throw new IllegalArgumentException("the last row ends within a string");
  }

  byte[] json() {
    return json;
  }

  /** Inclusive. */
  int start(int column) {
    return (column == 0 ? 1 : ends[column - 1] + 1) + labels[column].length;
  }

  /** Exclusive. */
  int end(int column) {
    return ends[column];
  }
}
