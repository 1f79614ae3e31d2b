package dev.rowlog.connector.replay.postgres;

import static dev.rowlog.connector.change.TableId.quote;

import dev.rowlog.connector.replay.spi.ReplayColumn;
import dev.rowlog.connector.replay.spi.ReplayTable;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The statements of one table. A batch is one parameter, a JSON array of rows, which the server takes apart itself: so each value is
 * read by the type's own input, and what {@code to_json} printed comes back. Pure.
 */
final class TableSql {
  /** Types that every server has and that read what {@code to_json} prints of them; so do their arrays. */
  private static final Set<String> KEPT = Set.of("boolean", "smallint", "integer", "bigint", "numeric", "real",
      "double precision",
      "text", "character varying", "character", "name", "uuid", "date", "time without time zone", "time with time zone",
      "timestamp without time zone", "timestamp with time zone", "interval", "bytea", "json", "jsonb", "inet", "cidr",
      "macaddr",
      "macaddr8", "oid", "bit", "bit varying", "money", "point", "line", "lseg", "box", "path", "polygon", "circle",
      "tsvector",
      "tsquery", "int4range", "int8range", "numrange", "tsrange", "tstzrange", "daterange", "int4multirange",
      "int8multirange",
      "nummultirange", "tsmultirange", "tstzmultirange", "datemultirange", "pg_lsn");

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
    if (column.isEnum() && !column.type().endsWith("[]")) {
      return "text";
    }
    String element = column.type().replaceAll("\\([^)]*\\)", "").replace("[]", "");
    boolean isArrayOfJson = element.equals("json") && column.type().endsWith("]");
    if (KEPT.contains(element) && !isArrayOfJson) {
      return column.type();
    }
    // Of json and jsonb only the latter can be a key.
    return table.keyColumns().contains(column.name()) ? "jsonb" : "json";
  }

  /** Columns whose JSON is kept as it is: the server's functions would rewrite escapes, and refuse {@code \\u0000}. */
  List<String> jsonColumns() {
    return table.columns().stream().filter(column -> type(column).equals("json")).map(ReplayColumn::name).toList();
  }

  /**
   * Inserts or replaces the rows of a JSON array of them. Where there are {@link #jsonColumns}, the rows come without those, and each of them
   * as an array of its own in the same order.
   */
  String upsert() {
    List<String> all = table.columns().stream().map(ReplayColumn::name).toList();
    List<String> others = all.stream().filter(name -> !table.keyColumns().contains(name)).toList();
    List<String> json = jsonColumns();
    String values = all.stream()
        .map(name -> json.contains(name) ? "cast(j.c" + json.indexOf(name) + " as json)" : "r." + quote(name))
        .collect(Collectors.joining(", "));
    String action = others.isEmpty()
        ? "nothing"
        : "update set "
            + others.stream().map(name -> quote(name) + " = excluded." + quote(name)).collect(Collectors.joining(", "));
    return "insert into " + relation + " (" + names(all, "") + ") select " + values
        + " from json_array_elements(cast(? as json)) with ordinality e(v, n)"
        + (json.isEmpty() ? "" : " join " + arrays(json.size()))
        + " cross join lateral json_populate_record(cast(null as " + relation + "), e.v) r"
        + " on conflict (" + names(table.keyColumns(), "") + ") do " + action;
  }

  private static String arrays(int count) {
    String parameters = IntStream.range(0, count).mapToObj(i -> "cast(? as text[])").collect(Collectors.joining(", "));
    String columns = IntStream.range(0, count).mapToObj(i -> "c" + i).collect(Collectors.joining(", "));
    return "unnest(" + parameters + ") with ordinality j(" + columns + ", n) on j.n = e.n";
  }

  /** Deletes the rows of a JSON array of keys. */
  String delete() {
    String same = table.keyColumns().stream().map(name -> "t." + quote(name) + " = k." + quote(name))
        .collect(Collectors.joining(" and "));
    return "delete from " + relation + " t using json_populate_recordset(cast(null as " + relation
        + "), cast(? as json)) k where " + same;
  }

  private static String names(List<String> names, String prefix) {
    return names.stream().map(name -> prefix + quote(name)).collect(Collectors.joining(", "));
  }
}
