package dev.rowlog.connector.text;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Columns for people: as wide as needed, two blanks between, numbers to the right. One thread. */
public final class TextTable {
  private final List<String> titles;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * @param titles one that begins with {@code >} stands for a column that is set to the right
   */
  public TextTable(String... titles) {
    this.titles = List.of(titles);
  }

  public void row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(String.valueOf(cell));
    }
    rows.add(row);
  }

  public void print(PrintStream out) {
    lines().forEach(out::println);
  }

  public List<String> lines() {
    int[] widths = new int[titles.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = title(i).length();
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> head = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      head.add(title(i));
    }
    List<String> lines = new ArrayList<>();
    lines.add(line(head, widths));
    rows.forEach(row -> lines.add(line(row, widths)));
    return lines;
  }

  private String title(int column) {
    return isRight(column) ? titles.get(column).substring(1) : titles.get(column);
  }

  private boolean isRight(int column) {
    return titles.get(column).startsWith(">");
  }

  private String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String blanks = " ".repeat(widths[i] - cells.get(i).length());
      line.append(i == 0 ? "" : "  ").append(isRight(i) ? blanks + cells.get(i) : cells.get(i) + blanks);
    }
    return line.toString().stripTrailing();
  }
}
