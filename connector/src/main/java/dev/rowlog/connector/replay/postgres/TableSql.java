package dev.rowlog.connector.replay.postgres;

import static dev.rowlog.connector.change.TableId.quote;

import dev.rowlog.connector.replay.ReplayColumn;
import dev.rowlog.connector.replay.ReplayTable;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The statements of one table. A batch is one parameter, a JSON array of rows, which the server takes apart itself: so each value is
 * read by the type's own input, and what {@code to_json} printed comes back. Pure.
 */
final class TableSql {
  private final ReplayTable table;
  private final String relation;

  /**
   * @param relation where the rows go, quoted for SQL
   */
  TableSql(ReplayTable table, String relation) {
    this.table = table;
    this.relation = relation;
  }

  /** The table with its key; a type that this server need not have becomes {@code json}, which prints the same. */
  String create() {
    String columns = table.columns().stream().map(column -> quote(column.name()) + " " + type(column))
        .collect(Collectors.joining(", "));
    return "create table " + relation + " (" + columns + ", primary key (" + names(table.keyColumns(), "") + "))";
  }

  private String type(ReplayColumn column) {
    boolean isKey = table.keyColumns().contains(column.name());
    if (column.isEnum() || column.type().startsWith("reg") || column.type().startsWith("aclitem")) {
      return column.type().endsWith("[]") ? "json" : "text";
    }
    // A user's type, named with its schema. Of json and jsonb only the latter can be a key.
    boolean isForeign = column.type().contains(".");
    return isForeign ? isKey ? "jsonb" : "json" : column.type();
  }

  /** Inserts or replaces the rows of a JSON array of them. */
  String upsert() {
    List<String> all = table.columns().stream().map(ReplayColumn::name).toList();
    List<String> others = all.stream().filter(name -> !table.keyColumns().contains(name)).toList();
    String values = table.columns().stream().map(this::value).collect(Collectors.joining(", "));
    String action = others.isEmpty()
        ? "nothing"
        : "update set " + others.stream().map(name -> quote(name) + " = excluded." + quote(name)).collect(Collectors.joining(", "));
    return "insert into " + relation + " (" + names(all, "") + ") select " + values
        + " from json_array_elements(cast(? as json)) e(v), lateral json_populate_record(cast(null as " + relation + "), e.v) r"
        + " on conflict (" + names(table.keyColumns(), "") + ") do " + action;
  }

  /** A json column takes the text as it is; populating a record would rewrite the escapes of a string. */
  private String value(ReplayColumn column) {
    if (!type(column).equals("json")) {
      return "r." + quote(column.name());
    }
    String name = literal(column.name());
    return "case when e.v ->> " + name + " is null then null else e.v -> " + name + " end";
  }

  /** Deletes the rows of a JSON array of keys. */
  String delete() {
    String same = table.keyColumns().stream().map(name -> "t." + quote(name) + " = k." + quote(name)).collect(Collectors.joining(" and "));
    return "delete from " + relation + " t using json_populate_recordset(cast(null as " + relation + "), cast(? as json)) k where " + same;
  }

  private static String names(List<String> names, String prefix) {
    return names.stream().map(name -> prefix + quote(name)).collect(Collectors.joining(", "));
  }

  private static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
