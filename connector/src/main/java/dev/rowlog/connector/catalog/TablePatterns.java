package dev.rowlog.connector.catalog;

import dev.rowlog.connector.change.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which tables: a list of {@code schema.table} with commas between, {@code *} and {@code ?} as wildcards, {@code !} before what is left out,
 * double quotes around a name that holds a dot, a comma or a wildcard. Names are spelled as the catalog spells them. Immutable.
 */
public final class TablePatterns {
  private final String text;
  private final List<Glob> included;
  private final List<Glob> excluded;

  private TablePatterns(String text, List<Glob> included, List<Glob> excluded) {
    this.text = text;
    this.included = List.copyOf(included);
    this.excluded = List.copyOf(excluded);
  }

  /** One entry; {@code literal} is null where it has a wildcard. */
  private record Glob(String text, Name schemaName, Name tableName) {
    Pattern schema() {
      return schemaName.pattern;
    }

    Pattern table() {
      return tableName.pattern;
    }

    TableId literal() {
      return schemaName.wildcard || tableName.wildcard ? null : new TableId(schemaName.plain, tableName.plain);
    }

    String sqlCondition(String schemaColumn, String tableColumn) {
      return "(" + schemaColumn + " like " + schemaName.like() + " and " + tableColumn + " like " + tableName.like()
          + ")";
    }

    boolean matches(TableId id) {
      return schema().matcher(id.schema()).matches() && table().matcher(id.table()).matches();
    }
  }

  /**
   * @throws IllegalArgumentException where an entry is not {@code schema.table}, or nothing is included
   */
  public static TablePatterns parse(String text) {
    List<Glob> included = new ArrayList<>();
    List<Glob> excluded = new ArrayList<>();
    for (String entry : splitOutsideQuotes(text, ',')) {
      String trimmed = entry.trim();
      if (trimmed.isEmpty()) {
        continue;
      }
      boolean negative = trimmed.startsWith("!");
      (negative ? excluded : included).add(glob(negative ? trimmed.substring(1).trim() : trimmed));
    }
    if (included.isEmpty()) {
      throw new IllegalArgumentException(
          "no table is named in '" + text + "': expected schema.table, such as public.orders or shop.*");
    }
    return new TablePatterns(text, included, excluded);
  }

  public boolean matches(TableId id) {
    return included.stream().anyMatch(glob -> glob.matches(id))
        && excluded.stream().noneMatch(glob -> glob.matches(id));
  }

  /** Tables that are named without a wildcard and not left out: each has to exist. */
  public List<TableId> literals() {
    return included.stream().map(Glob::literal).filter(id -> id != null && matches(id)).distinct().toList();
  }

  /**
   * The same selection in SQL, for a script that runs where we cannot look.
   *
   * @param schemaColumn expression of the schema's name
   * @param tableColumn expression of the table's name
   */
  public String sqlCondition(String schemaColumn, String tableColumn) {
    String in = included.stream().map(glob -> glob.sqlCondition(schemaColumn, tableColumn))
        .collect(Collectors.joining(" or "));
    String out = excluded.stream().map(glob -> glob.sqlCondition(schemaColumn, tableColumn))
        .collect(Collectors.joining(" or "));
    return "(" + in + ")" + (out.isEmpty() ? "" : " and not (" + out + ")");
  }

  /** True where only the database can say which tables are meant. */
  public boolean hasWildcards() {
    return included.stream().anyMatch(glob -> glob.literal() == null);
  }

  /** Entries, as written, that none of the tables match. */
  public List<String> unmatched(List<TableId> tables) {
    return included.stream().filter(glob -> tables.stream().noneMatch(glob::matches)).map(Glob::text).toList();
  }

  @Override
  public String toString() {
    return text;
  }

  private static Glob glob(String entry) {
    List<String> parts = splitOutsideQuotes(entry, '.');
    if (parts.size() != 2 || parts.get(0).isEmpty() || parts.get(1).isEmpty()) {
      throw new IllegalArgumentException(
          "'" + entry + "' is not schema.table: expected one dot, such as public.orders or shop.*"
              + " (put double quotes around a name that holds a dot)");
    }
    return new Glob(entry, Name.parse(parts.get(0)), Name.parse(parts.get(1)));
  }

  private static List<String> splitOutsideQuotes(String text, char separator) {
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
      throw new IllegalArgumentException("a double quote is not closed in '" + text + "'");
    }
    parts.add(text.substring(start));
    return parts;
  }

  /** A schema's or table's name, maybe with wildcards. */
  private record Name(String plain, Pattern pattern, String like, boolean wildcard) {
    static Name parse(String text) {
      StringBuilder plain = new StringBuilder();
      StringBuilder pattern = new StringBuilder();
      StringBuilder like = new StringBuilder();
      boolean wildcard = false;
      boolean quoted = false;
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == '"' && quoted && i + 1 < text.length() && text.charAt(i + 1) == '"') {
          i++;
        } else if (c == '"') {
          quoted = !quoted;
          continue;
        }
        if (!quoted && (c == '*' || c == '?')) {
          wildcard = true;
          pattern.append(c == '*' ? ".*" : ".");
          like.append(c == '*' ? '%' : '_');
        } else {
          like.append(c == '%' || c == '_' || c == '\\' ? "\\" : "").append(c == '\'' ? "''" : String.valueOf(c));
          pattern.append(Pattern.quote(String.valueOf(c)));
        }
        plain.append(c);
      }
      return new Name(
          plain.toString(), Pattern.compile(pattern.toString(), Pattern.DOTALL), "'" + like + "'", wildcard);
    }
  }
}
