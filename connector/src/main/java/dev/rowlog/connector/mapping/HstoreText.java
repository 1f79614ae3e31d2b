package dev.rowlog.connector.mapping;

/** Walks the text of an hstore (PostgreSQL {@code hstore_out}): {@code "key"=>"value", "key"=>NULL}, quotes and backslashes escaped. */
final class HstoreText {
  private static final String NULL = "NULL";

  private final String text;
  private final StringBuilder unescaped = new StringBuilder();
  private int position;
  private String key;
  private String value;

  HstoreText(String text) {
    this.text = text;
  }

  /** Goes to the next pair; false at the end. */
  boolean next() {
    if (position >= text.length()) {
      return false;
    }
    if (position > 0) {
      expect(", ");
    }
    key = quoted();
    expect("=>");
    if (text.startsWith(NULL, position)) {
      position += NULL.length();
      value = null;
    } else {
      value = quoted();
    }
    return true;
  }

  String key() {
    return key;
  }

  /** Null for NULL. */
  String value() {
    return value;
  }

  private String quoted() {
    expect("\"");
    unescaped.setLength(0);
    while (true) {
      char c = take();
      if (c == '"') {
        return unescaped.toString();
      }
      unescaped.append(c == '\\' ? take() : c);
    }
  }

  private char take() {
    if (position >= text.length()) {
      throw new IllegalArgumentException("not the text of an hstore, it ends within a pair");
    }
    return text.charAt(position++);
  }

  private void expect(String wanted) {
    if (!text.startsWith(wanted, position)) {
      throw new IllegalArgumentException("not the text of an hstore, expected " + wanted + " at index " + position);
    }
    position += wanted.length();
  }
}
