package dev.rowlog.connector.postgres;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Every built-in type and the extensions' that matter, with values at the edges, each alone, in an array and in a composite: table
 * {@code kinds.all_types}.
 */
public final class AllTypes {
  public static final String TABLE = "kinds.all_types";

  private static final String QUOTES = "E'a\"b\\\\c,d{e}(f) g\\th\\ni\\rj\\bk\\fl\\u0001m\\u001fn\\u007fo/p''q'";
  private static final String UNICODE = "E'\u00e4\u00df\u20ac\u4f60\u597d \\U0001F600 \\u2028\\u2029 \\u0130\\u0131'";

  /** What the ARRAY constructor would make an array of more dimensions of. */
  private static final Map<String, String> ARRAYS_OF_ARRAYS = Map.of("kinds.numbers",
      "'{\"{1,NULL}\",NULL,\"[0:0]={7}\"}'",
      "int2vector", "'{\"1 2\",NULL,\"\"}'", "oidvector", "'{\"1 2\",NULL,3}'");

  private AllTypes() {}

  /** What has to be there before the table. */
  public static List<String> prelude() {
    return List.of("create schema kinds", "create schema \"Odd Schema\"", "create extension hstore schema public",
        "create extension citext schema public", "create extension ltree schema public",
        "create extension cube schema public",
        "create extension isn schema public",
        "create type kinds.mood as enum ('sad', 'so \"so\"', 'NULL', '', 'zufrieden, ja')",
        "create type \"Odd Schema\".mood as enum ('a', 'b')",
        "create type kinds.pair as (\"First One\" int, second text)",
        "create type kinds.nest as (p kinds.pair, l int[], j jsonb, t timestamptz)",
        "create type kinds.single as (only_one text)",
        "create type kinds.shrunk as (a int, gone text, b int)",
        "alter type kinds.shrunk drop attribute gone",
        "create type kinds.span as range (subtype = float8)",
        "create domain kinds.positive as int check (value > 0)",
        "create domain kinds.label as text",
        "create domain kinds.numbers as int[]",
        "create domain kinds.over_domain as kinds.positive",
        "create domain kinds.couple as kinds.pair");
  }

  /** Type to its values, as SQL expressions that are cast to it. */
  public static Map<String, List<String>> values() {
    Map<String, List<String>> all = new LinkedHashMap<>();
    all.put("boolean", List.of("true", "false"));
    all.put("smallint", List.of("-32768", "32767", "0"));
    all.put("integer", List.of("-2147483648", "2147483647"));
    all.put("bigint", List.of("-9223372036854775808", "9223372036854775807"));
    all.put("numeric", List.of("'NaN'", "'Infinity'", "'-Infinity'", "1.0", "1.000", "-0.5", "0", "1e-100", "1e100",
        "12345678901234567890123456789.000000001"));
    all.put("numeric(10,2)", List.of("1.5", "-99999999.99", "'NaN'"));
    all.put("numeric(3,-2)", List.of("12345"));
    all.put("real", List.of("'NaN'", "'Infinity'", "'-Infinity'", "'-0'", "'1.17549435e-38'", "'1.4e-45'", "0.1",
        "16777217", "'3.4e38'"));
    all.put("double precision",
        List.of("'NaN'", "'Infinity'", "'-Infinity'", "'-0'", "'5e-324'", "'1.7976931348623157e308'",
            "0.30000000000000004::float8", "9007199254740993", "'1e20'", "'1e15'", "1e-5"));
    all.put("money", List.of("'-92233720368547758.08'", "'1234567.89'", "'0'"));
    all.put("text", List.of("''", QUOTES, UNICODE, "'NULL'", "'null'", "' '", "repeat('x', 5000)"));
    all.put("varchar(20)", List.of("'x'", "' trailing  '"));
    all.put("character(5)", List.of("'ab'", "''"));
    all.put("\"char\"", List.of("'x'", "'\"'", "'\\377'"));
    all.put("name", List.of("'some name'"));
    all.put("public.citext", List.of("'Bob'", QUOTES));
    all.put("bytea", List.of("'\\x00ff5c'", "''"));
    all.put("date",
        List.of("'infinity'", "'-infinity'", "'0044-03-15 BC'", "'4713-01-01 BC'", "'5874897-12-31'", "'2024-02-29'"));
    all.put("time", List.of("'24:00:00'", "'00:00:00'", "'23:59:59.999999'"));
    all.put("time(0)", List.of("'12:34:56'"));
    all.put("time with time zone",
        List.of("'24:00:00-15:59'", "'12:34:56.123456+05:30'", "'00:00:00+15:59:59'", "'01:02:03+00'"));
    all.put("timestamp",
        List.of("'infinity'", "'-infinity'", "'0044-03-15 01:02:03 BC'", "'294276-12-31 23:59:59.999999'",
            "'2024-02-29 24:00:00'", "'2024-01-01 00:00:00.1'"));
    all.put("timestamp(3)", List.of("'2024-01-01 00:00:00.123456'"));
    all.put("timestamp with time zone", List.of("'infinity'", "'-infinity'", "'0044-03-15 01:02:03+00 BC'",
        "'294276-12-31 23:59:59.999999+00'", "'2024-03-31 02:30:00 Europe/Berlin'", "'1900-01-01 00:00:00+00:19:32'"));
    all.put("interval",
        List.of("'1 mon -2 days 03:04:05'", "'-1 year 2 mons -3 days -04:05:06.789'", "'0'", "'178000000 years'"));
    all.put("interval day to second(2)", List.of("'3 days 04:05:06.789'"));
    all.put("uuid", List.of("'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'", "'00000000-0000-0000-0000-000000000000'"));
    all.put("json", List.of("'null'", "'\"null\"'", "' { \"b\" : 1,\"a\":2, \"a\" : 1.0e5 } '", "'[1,\n2]'",
        "'{\"x\":\"\\u0000\\u00e4\"}'"));
    all.put("jsonb", List.of("'null'", "'{\"b\":1,\"a\":[1.50, \"x\\\\y\"]}'", "'\"\\u00e4\\\"\"'"));
    all.put("jsonpath", List.of("'$.a[*] ? (@ > 1)'"));
    all.put("xml", List.of("'<a b=\"c\">d</a>'"));
    all.put("bit", List.of("B'1'"));
    all.put("bit(3)", List.of("B'001'"));
    all.put("bit varying", List.of("B''", "B'0001'"));
    all.put("inet", List.of("'192.168.0.1/24'", "'::1'"));
    all.put("cidr", List.of("'10/8'", "'2001:db8::/32'"));
    all.put("macaddr", List.of("'08:00:2b:01:02:03'"));
    all.put("macaddr8", List.of("'08:00:2b:01:02:03:04:05'"));
    all.put("point", List.of("'(1,2)'", "'(1e300,-0)'"));
    all.put("line", List.of("'{1,-1,0}'"));
    all.put("lseg", List.of("'[(0,0),(1,1)]'"));
    all.put("box", List.of("'(3,4),(1,2)'"));
    all.put("path", List.of("'[(0,0),(1,1)]'", "'((0,0),(1,1))'"));
    all.put("polygon", List.of("'((0,0),(1,1),(1,0))'"));
    all.put("circle", List.of("'<(0,0),1.5>'"));
    all.put("tsvector", List.of("'a fat:2,4 ''quo\"te'':3A'"));
    all.put("tsquery", List.of("'fat & (rat | !cat)'"));
    all.put("int4range", List.of("'[1,5)'", "'empty'", "'(,)'"));
    all.put("numrange", List.of("'[1.5,2.50]'"));
    all.put("tsrange", List.of("'[2024-01-01, 2024-02-01)'"));
    all.put("tstzrange", List.of("'[2024-01-01 00:00+05, infinity)'"));
    all.put("daterange", List.of("'[0044-03-15 BC, 2024-01-01)'"));
    all.put("int8range", List.of("'[1,9223372036854775807)'"));
    all.put("kinds.span", List.of("'[0.1,0.2]'"));
    all.put("int4multirange", List.of("'{[1,3),[5,7)}'", "'{}'"));
    all.put("tstzmultirange", List.of("'{[2024-01-01 00:00+05, 2024-01-02 00:00+00)}'"));
    all.put("oid", List.of("0", "4294967295"));
    all.put("xid", List.of("'42'"));
    all.put("xid8", List.of("'18446744073709551615'"));
    all.put("cid", List.of("'7'"));
    all.put("tid", List.of("'(1,2)'"));
    all.put("regclass", List.of("'pg_catalog.pg_class'", "'kinds.pair'"));
    all.put("regtype", List.of("'int4'", "'kinds.mood'"));
    all.put("pg_lsn", List.of("'16/B374D848'"));
    all.put("txid_snapshot", List.of("'10:20:10,14,15'"));
    all.put("int2vector", List.of("'1 2 -3'", "''"));
    all.put("oidvector", List.of("'1 2 3'"));
    all.put("refcursor", List.of("'c1'"));
    all.put("kinds.mood", List.of("'sad'", "'so \"so\"'", "'NULL'", "''", "'zufrieden, ja'"));
    all.put("\"Odd Schema\".mood", List.of("'b'"));
    all.put("kinds.pair",
        List.of("row(1,'x')", "row(null,null)", "row(2," + QUOTES + ")", "row(3,'')", "row(null," + UNICODE + ")"));
    all.put("kinds.nest",
        List.of("row(row(1,'a b')::kinds.pair, array[1,null], '{\"k\": \"v\\\"\"}', '2024-01-01 00:00+00')",
            "row(null,null,null,null)", "row(row(null,'\"')::kinds.pair, '{}', '[]', 'infinity')"));
    all.put("kinds.single", List.of("row(null)", "row('')", "row('(x)')"));
    all.put("kinds.shrunk", List.of("row(1,2)"));
    all.put("kinds.couple", List.of("row(7,'seven')"));
    all.put("kinds.positive", List.of("7"));
    all.put("kinds.over_domain", List.of("8"));
    all.put("kinds.label", List.of(QUOTES));
    all.put("kinds.numbers", List.of("'{1,2}'", "'[0:1]={1,2}'"));
    all.put("public.hstore", List.of("'a=>1,b=>NULL,\"c d\"=>\"NULL\"'", "''",
        "public.hstore(array['', E'\"q\\\\', 'k=>v', E'\\u00e4\\n'], array['', E'\\\\', 'a,b', '1.5'])"));
    all.put("public.ltree", List.of("'Top.Science'"));
    all.put("public.lquery", List.of("'*.foo.*'"));
    all.put("public.cube", List.of("'(1,2),(3,4)'"));
    all.put("public.isbn", List.of("'978-0-11-000533-1'"));
    return all;
  }

  /** Arrays beyond those of one dimension that each type gets. */
  private static List<String> arrays() {
    return List.of("'{}'::int[]", "'{{1,2},{3,null}}'::int[]", "'[0:1][-1:0]={{1,2},{3,4}}'::int[]",
        "'{{{\"a,b\"},{NULL}}}'::text[]",
        "'{\"NULL\",NULL,\"\",\"q\\\"x\",\"\\\\\",nullo}'::text[]", "'[5:5]={x}'::text[]");
  }

  private static String cast(String value, String type) {
    return "cast(" + value + " as " + type + ")";
  }

  /** Creates the table, its primary key first; empty. */
  public static List<String> ddl() {
    List<String> columns = new ArrayList<>(List.of("id int primary key"));
    int number = 0;
    for (String type : values().keySet()) {
      number++;
      columns.add("\"" + number + " " + type.replace("\"", "") + "\" " + type);
      columns.add("\"" + number + " array\" " + type + "[]");
    }
    columns.add("\"ints of any shape\" int[]");
    columns.add("\"texts \\ of \"\"any\"\" shape\" text[]");
    List<String> statements = new ArrayList<>(
        List.of("create table " + TABLE + " (" + String.join(", ", columns) + ")"));
    // A composite of every type, in a second table so that no row has more columns than a table may.
    List<String> attributes = new ArrayList<>();
    number = 0;
    for (String type : values().keySet()) {
      number++;
      attributes.add("a" + number + " " + type);
      attributes.add("l" + number + " " + type + "[]");
    }
    statements.add("create type kinds.everything as (" + String.join(", ", attributes) + ")");
    statements.add("alter table " + TABLE + " add column whole kinds.everything, add column wholes kinds.everything[]");
    return statements;
  }

  /** One INSERT a row; the last row is all NULL. */
  public static List<String> inserts() {
    List<String> inserts = new ArrayList<>();
    List<String> shapes = arrays();
    int rows = values().values().stream().mapToInt(List::size).max().orElseThrow();
    for (int row = 0; row < rows; row++) {
      List<String> cells = new ArrayList<>();
      for (Map.Entry<String, List<String>> type : values().entrySet()) {
        List<String> values = type.getValue();
        String value = cast(values.get(row % values.size()), type.getKey());
        String following = cast(values.get((row + 1) % values.size()), type.getKey());
        String array = ARRAYS_OF_ARRAYS.containsKey(type.getKey())
            ? cast(ARRAYS_OF_ARRAYS.get(type.getKey()), type.getKey() + "[]")
            : "array[" + value + ", null, " + following + "]";
        cells.add(row < values.size() ? value : "null");
        cells.add(row % 4 == 3 ? "null" : array);
      }
      String whole = "row(" + String.join(", ", cells) + ")::kinds.everything";
      String ints = row < 3 ? shapes.get(row) : "null";
      String texts = row < 3 ? shapes.get(row + 3) : "null";
      inserts.add("insert into " + TABLE + " values (" + row + ", " + String.join(", ", cells) + ", " + ints + ", "
          + texts + ", "
          + (row % 3 == 2 ? "null" : whole) + ", array[" + whole + ", null])");
    }
    inserts.add("insert into " + TABLE + " (id) values (" + rows + ")");
    return inserts;
  }
}
