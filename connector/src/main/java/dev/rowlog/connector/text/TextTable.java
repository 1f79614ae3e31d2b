package dev.rowlog.connector.text;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Columns for people: as wide as needed, two blanks between, numbers to the right. Columns that find no room in the width go below their row, by name:
 * nothing is cut. One thread.
 */
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

  /**
   * @param width columns that there are
   */
  public void print(PrintStream out, int width) {
    lines(width).forEach(out::println);
  }

  /** As {@link #print} has them. */
  public List<String> lines(int width) {
    int[] widths = new int[titles.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = title(i).length();
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    int beside = beside(widths, width);
    List<String> head = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      head.add(title(i));
    }
    List<String> lines = new ArrayList<>();
    lines.add(line(head.subList(0, beside), widths));
    for (List<String> row : rows) {
      lines.add(line(row.subList(0, beside), widths));
      below(row, beside, width).forEach(lines::add);
    }
    return lines;
  }

  /** How many columns find room beside each other; one at least. */
  private static int beside(int[] widths, int width) {
    int used = widths[0];
    int count = 1;
    while (count < widths.length && used + 2 + widths[count] <= width) {
      used += 2 + widths[count];
      count++;
    }
    return count;
  }

  private Stream<String> below(List<String> row, int from, int width) {
    List<String> named = new ArrayList<>();
    for (int i = from; i < row.size(); i++) {
      if (!row.get(i).isEmpty()) {
        named.add(title(i).toLowerCase(Locale.ROOT) + ": " + row.get(i));
      }
    }
    return named.isEmpty()
        ? Stream.empty()
        : ("    " + WordWrap.wrap(String.join(", ", named), width - 4, "\n    ")).lines();
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
