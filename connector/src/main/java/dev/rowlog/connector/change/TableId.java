package dev.rowlog.connector.change;

import java.util.Objects;

/** A table's schema and name as the catalog spells them, without quotes. */
public record TableId(String schema, String table) implements Comparable<TableId> {
  public TableId {
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(table, "table");
  }

  /** Quoted for SQL: {@code "schema"."table"}. */
  public String quoted() {
    return quote(schema) + "." + quote(table);
  }

  /** An identifier quoted for SQL. */
  public static String quote(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }

  @Override
  public int compareTo(TableId other) {
    int bySchema = schema.compareTo(other.schema);
    return bySchema != 0 ? bySchema : table.compareTo(other.table);
  }

  /** For people, where more than one table is told apart: {@code schema.table}, a part with a dot, quote or blank in it quoted. */
  public String unambiguous() {
    return part(schema) + "." + part(table);
  }

  private static String part(String name) {
    return name.isEmpty() || name.chars().anyMatch(c -> c == '.' || c == '"' || Character.isWhitespace(c))
        ? quote(name)
        : name;
  }

  /** For people: {@code schema.table}. */
  @Override
  public String toString() {
    return schema + "." + table;
  }
}
