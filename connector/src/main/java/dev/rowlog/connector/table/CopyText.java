package dev.rowlog.connector.table;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Takes apart lines of COPY's text format (PostgreSQL, COPY, "Text Format"): columns between tabs, {@code \N} for
 * NULL, backslash escapes. What comes out is what the output function of each type printed. One thread: a buffer is
 * reused.
 */
final class CopyText {
  private byte[] plain = new byte[256];

  /**
   * @param line one row in UTF-8, with or without its line feed
   * @param values filled with the text of each column, null for NULL
   * @throws IllegalArgumentException where the line has another number of columns, or an escape that COPY does not
   *     write
   */
  void split(byte[] line, String[] values) {
    int end = line.length > 0 && line[line.length - 1] == '\n' ? line.length - 1 : line.length;
    int column = 0;
    int start = 0;
    boolean escaped = false;
    for (int i = 0; i <= end; i++) {
      if (i < end && line[i] != '\t') {
        escaped |= line[i] == '\\';
        continue;
      }
      if (column == values.length) {
        throw new IllegalArgumentException("COPY gave more than " + values.length + " columns");
      }
      values[column++] = escaped
          ? unescaped(line, start, i)
          : new String(line, start, i - start, StandardCharsets.UTF_8);
      start = i + 1;
      escaped = false;
    }
    if (column != values.length) {
      throw new IllegalArgumentException("COPY gave " + column + " columns, expected " + values.length);
    }
  }

  private String unescaped(byte[] line, int start, int end) {
    if (end - start == 2 && line[start + 1] == 'N') {
      return null;
    }
    if (plain.length < end - start) {
      plain = Arrays.copyOf(plain, Math.max(end - start, 2 * plain.length));
    }
    int length = 0;
    for (int i = start; i < end; i++) {
      byte b = line[i];
      if (b == '\\') {
        i++;
        if (i == end) {
          throw new IllegalArgumentException("COPY gave a backslash at the end of a column");
        }
        b = character(line[i]);
      }
      plain[length++] = b;
    }
    return new String(plain, 0, length, StandardCharsets.UTF_8);
  }

  private static byte character(byte escape) {
    return switch (escape) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'v' -> 0x0B;
      case '\\' -> '\\';
      default -> throw new IllegalArgumentException("COPY gave the unknown escape \\" + (char) (escape & 0xFF));
    };
  }
}
