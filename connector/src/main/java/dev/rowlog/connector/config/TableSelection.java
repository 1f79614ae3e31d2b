package dev.rowlog.connector.config;

import dev.rowlog.connector.change.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Which tables to mirror: {@code schema.table} patterns, {@code *} for any characters, {@code !} in front to leave out; a name without a schema is in
 * {@code public}. Double quotes hold a name with a dot, comma, star or blank; a double quote itself is doubled. Case counts.
 */
public final class TableSelection {
  private final String text;
  private final List<NamePattern> included;
  private final List<NamePattern> excluded;

  private record NamePattern(String shown, Pattern schema, Pattern table, TableId literal) {
    boolean matches(TableId id) {
      return schema.matcher(id.schema()).matches() && table.matcher(id.table()).matches();
    }
  }

  private TableSelection(String text, List<NamePattern> included, List<NamePattern> excluded) {
    this.text = text;
    this.included = List.copyOf(included);
    this.excluded = List.copyOf(excluded);
  }

  /**
   * @throws IllegalArgumentException with what is wrong
   */
  public static TableSelection parse(String text) {
    List<NamePattern> included = new ArrayList<>();
    List<NamePattern> excluded = new ArrayList<>();
    for (String item : split(text, ',')) {
      String name = item.strip();
      if (name.isEmpty()) {
        continue;
      }
      boolean leavesOut = name.startsWith("!");
      (leavesOut ? excluded : included).add(pattern(leavesOut ? name.substring(1).strip() : name));
    }
    if (included.isEmpty()) {
      throw new IllegalArgumentException("names no table: schema.table, separated by commas");
    }
    return new TableSelection(text, included, excluded);
  }

  /** True for a table that is named or matched, and not left out. */
  public boolean includes(TableId table) {
    return included.stream().anyMatch(p -> p.matches(table)) && excluded.stream().noneMatch(p -> p.matches(table));
  }

  /** The tables that are named without a star, and not left out: they must exist. */
  public List<TableId> named() {
    return included.stream().map(NamePattern::literal).filter(id -> id != null && includes(id)).distinct().sorted().toList();
  }

  /** True where only the database can say which tables are meant. */
  public boolean hasPatterns() {
    return included.stream().anyMatch(p -> p.literal() == null);
  }

  @Override
  public String toString() {
    return text;
  }

  private static NamePattern pattern(String item) {
    List<String> parts = split(item, '.');
    if (parts.size() > 2) {
      throw new IllegalArgumentException(
          "'" + item + "' has more than one dot; a name that holds a dot is put in double quotes: schema.\"the.table\"");
    }
    String schema = parts.size() == 2 ? parts.get(0) : "public";
    String table = parts.get(parts.size() - 1);
    boolean literal = !isPattern(schema) && !isPattern(table);
    return new NamePattern(
        item, compile(schema, item), compile(table, item), literal ? new TableId(unquoted(schema), unquoted(table)) : null);
  }

  private static boolean isPattern(String part) {
    return !part.startsWith("\"") && part.contains("*");
  }

  private static Pattern compile(String part, String item) {
    if (part.isEmpty() || part.startsWith("\"") && (part.length() < 3 || !part.endsWith("\""))) {
      throw new IllegalArgumentException("'" + item + "' is not of the form schema.table");
    }
    StringBuilder regex = new StringBuilder();
    for (String literal : isPattern(part) ? part.split("\\*", -1) : new String[] {unquoted(part)}) {
      regex.append(regex.isEmpty() ? "" : ".*").append(Pattern.quote(literal));
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  private static String unquoted(String part) {
    return part.startsWith("\"") ? part.substring(1, part.length() - 1).replace("\"\"", "\"") : part;
  }

  /** Splits outside double quotes. */
  private static List<String> split(String text, char separator) {
    List<String> parts = new ArrayList<>();
    boolean quoted = false;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == separator && !quoted) {
        parts.add(text.substring(start, i));
        start = i + 1;
      }
    }
    if (quoted) {
      throw new IllegalArgumentException("'" + text + "' has a double quote that is not closed");
    }
    parts.add(text.substring(start));
    return parts;
  }
}
