package dev.rowlog.connector.text;

/** Breaks a text at blanks, so that names and paths stay whole. Pure. */
public final class WordWrap {
  private WordWrap() {}

  /**
   * A word that is longer than the line stays whole.
   *
   * @param width columns of a line, without what the line break itself indents by
   */
  public static String wrap(String text, int width, String lineBreak) {
    StringBuilder wrapped = new StringBuilder();
    int column = 0;
    for (String word : text.split(" ", -1)) {
      if (column > 0 && column + 1 + word.length() > width) {
        wrapped.append(lineBreak);
        column = 0;
      } else if (column > 0 || wrapped.length() > 0) {
        wrapped.append(' ');
        column++;
      }
      wrapped.append(word);
      column += word.length();
    }
    return wrapped.toString();
  }
}
