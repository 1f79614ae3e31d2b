package dev.rowlog.connector.change;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A position in the write-ahead log: unsigned 64 bits, printed {@code X/Y} in hexadecimal (PostgreSQL {@code pg_lsn}).
 */
public record Lsn(long value) implements Comparable<Lsn> {
  private static final Pattern TEXT = Pattern.compile("[0-9A-Fa-f]{1,8}/[0-9A-Fa-f]{1,8}");

  /**
   * @throws IllegalArgumentException where the text is not {@code X/Y}
   */
  public static Lsn parse(String text) {
    if (!TEXT.matcher(text).matches()) {
      throw new IllegalArgumentException("not an LSN: '" + text + "' (expected X/Y in hexadecimal, such as 0/16B3748)");
    }
    int slash = text.indexOf('/');
    return new Lsn(
        Long.parseLong(text.substring(0, slash), 16) << 32 | Long.parseLong(text.substring(slash + 1), 16));
  }

  @Override
  public int compareTo(Lsn other) {
    return Long.compareUnsigned(value, other.value);
  }

  public boolean isAtOrBelow(Lsn other) {
    return compareTo(other) <= 0;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%X/%X", value >>> 32, value & 0xFFFFFFFFL);
  }
}
