package dev.rowlog.connector.mapping;

/**
 * Walks the text of an array (PostgreSQL {@code array_out}, manual 8.15.6): optional bounds, braces for each dimension, elements quoted where
 * they need it. A vector ({@code int2vector}, {@code oidvector}) is a plain list with blanks: delimiter {@code ' '}.
 */
final class ArrayText {
  /** What {@link #next} found. */
  enum Token {
    /** An inner dimension opens. */
    OPEN,
    /** An inner dimension closes. */
    CLOSE,
    /** {@link #element} holds it. */
    ELEMENT,
    END
  }

  private final String text;
  private final char delimiter;
  private final boolean vector;
  private final StringBuilder unescaped = new StringBuilder();
  private int position;
  private int depth;
  private String element;

  ArrayText(String text, char delimiter) {
    this.text = text;
    this.delimiter = delimiter;
    this.vector = delimiter == ' ';
    if (!vector) {
      position = text.startsWith("[") ? text.indexOf('=') + 1 : 0;
      expect('{');
      depth = 1;
    }
  }

  /** The element that the last {@link #next} found; null for NULL. */
  String element() {
    return element;
  }

  Token next() {
    if (vector) {
      return nextOfVector();
    }
    char c = peek();
    if (c == delimiter) {
      position++;
      c = peek();
    }
    switch (c) {
      case '{' -> {
        position++;
        depth++;
        return Token.OPEN;
      }
      case '}' -> {
        position++;
        depth--;
        if (depth > 0) {
          return Token.CLOSE;
        }
        if (position != text.length()) {
          throw malformed("text after the last brace");
        }
        return Token.END;
      }
      case '"' -> element = quoted();
      default -> element = unquoted();
    }
    return Token.ELEMENT;
  }

  private Token nextOfVector() {
    if (position >= text.length()) {
      return Token.END;
    }
    int end = text.indexOf(' ', position);
    end = end < 0 ? text.length() : end;
    element = text.substring(position, end);
    position = end + 1;
    return Token.ELEMENT;
  }

  private String quoted() {
    position++;
    unescaped.setLength(0);
    while (true) {
      char c = peek();
      position++;
      if (c == '"') {
        return unescaped.toString();
      }
      if (c == '\\') {
        c = peek();
        position++;
      }
      unescaped.append(c);
    }
  }

  /** array_out quotes whatever holds a brace, delimiter, blank, quote or backslash, so none of them is part of an unquoted element. */
  private String unquoted() {
    int start = position;
    while (peek() != delimiter && peek() != '}') {
      position++;
    }
    String found = text.substring(start, position);
    return found.equals("NULL") ? null : found;
  }

  private char peek() {
    if (position >= text.length()) {
      throw malformed("it ends within");
    }
    return text.charAt(position);
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw malformed("expected " + wanted + " at index " + position);
    }
    position++;
  }

  private IllegalArgumentException malformed(String problem) {
    return new IllegalArgumentException("not the text of an array, " + problem);
  }
}
