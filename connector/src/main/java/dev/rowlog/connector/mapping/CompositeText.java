package dev.rowlog.connector.mapping;

/**
 * Walks the text of a composite value (PostgreSQL {@code record_out}, manual 8.16.6): fields in parentheses, nothing for NULL, quotes and
 * backslashes doubled inside quotes.
 */
final class CompositeText {
  private final String text;
  private final StringBuilder unescaped = new StringBuilder();
  private int position;

  CompositeText(String text) {
    this.text = text;
    if (!text.startsWith("(") || !text.endsWith(")")) {
      throw malformed("no parentheses around it");
    }
  }

  /** The next field; null for NULL. */
  String next() {
    if (position >= text.length() - 1) {
      throw malformed("fewer fields than attributes");
    }
    // Past the parenthesis or the comma before the field.
    position++;
    char c = text.charAt(position);
    if (c == ',' || c == ')') {
      return null;
    }
    unescaped.setLength(0);
    boolean quoted = false;
    while (quoted || c != ',' && c != ')') {
      if (c == '\\') {
        unescaped.append(at(++position));
      } else if (c == '"') {
        if (quoted && at(position + 1) == '"') {
          unescaped.append('"');
          position++;
        } else {
          quoted = !quoted;
        }
      } else {
        unescaped.append(c);
      }
      c = at(++position);
    }
    return unescaped.toString();
  }

  void expectEnd() {
    // A composite without attributes is "()": the cursor is still on the first parenthesis.
    if (position != text.length() - 1 && !text.equals("()")) {
      throw malformed("more fields than attributes");
    }
  }

  private char at(int index) {
    if (index >= text.length()) {
      throw malformed("it ends within a field");
    }
    return text.charAt(index);
  }

  private IllegalArgumentException malformed(String problem) {
    return new IllegalArgumentException("not the text of a composite value, " + problem);
  }
}
