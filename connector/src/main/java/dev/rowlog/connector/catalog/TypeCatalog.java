package dev.rowlog.connector.catalog;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Types by oid, resolved to how {@code to_json} prints them: domains to their base, arrays and composites into their parts (PostgreSQL
 * {@code json_categorize_type}). One thread; what was read once is kept.
 */
final class TypeCatalog {
  /** An array has subscripting of the array kind: point and box have an element type too, but are no arrays. */
  private static final String TYPES = """
      select t.oid, pg_catalog.format_type(t.oid, null), t.typtype, t.typbasetype, t.typrelid,
             case when t.typsubscript = 'pg_catalog.array_subscript_handler'::pg_catalog.regproc then t.typelem else 0 end,
             e.typdelim, t.typname, f.proname, x.extname, coalesce(f.oid, 0), coalesce(r.rngsubtype, 0)
        from pg_catalog.pg_type t
        left join pg_catalog.pg_type e on e.oid = t.typelem
        left join pg_catalog.pg_range r on t.oid in (r.rngtypid, r.rngmultitypid)
        left join pg_catalog.pg_cast c on c.castsource = t.oid and c.casttarget = 'pg_catalog.json'::pg_catalog.regtype
                                      and c.castmethod = 'f' and t.oid >= 16384
        left join pg_catalog.pg_proc f on f.oid = c.castfunc
        left join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_type'::pg_catalog.regclass and d.objid = t.oid
                                        and d.deptype = 'e'
        left join pg_catalog.pg_extension x on x.oid = d.refobjid
       where t.oid = any (?)""";

  private static final String ATTRIBUTES = """
      select a.attrelid, a.attname, a.atttypid, a.attnum
        from pg_catalog.pg_attribute a
       where a.attrelid = any (?) and a.attnum > 0 and not a.attisdropped
       order by a.attrelid, a.attnum""";

  private static final String LABELS = """
      select enumtypid, enumlabel from pg_catalog.pg_enum where enumtypid = any (?) order by enumtypid, enumsortorder""";

  /** Built-in scalar types that json_categorize_type knows, by pg_type oid (pg_type.dat: these never change). */
  private static final Map<Long, ColumnType> BUILT_IN = Map.ofEntries(
      Map.entry(16L, new ColumnType.Bool()), Map.entry(20L, new ColumnType.Number()),
      Map.entry(21L, new ColumnType.Number()),
      Map.entry(23L, new ColumnType.Number()), Map.entry(700L, new ColumnType.Number()),
      Map.entry(701L, new ColumnType.Number()),
      Map.entry(1700L, new ColumnType.Number()), Map.entry(1082L, new ColumnType.Date()),
      Map.entry(1114L, new ColumnType.Timestamp()),
      Map.entry(1184L, new ColumnType.Timestamptz()), Map.entry(114L, new ColumnType.Json()),
      Map.entry(3802L, new ColumnType.Json()));

  private static final Set<Long> VECTORS = Set.of(22L, 30L);
  private static final char VECTOR_DELIMITER = ' ';

  private final Connection connection;
  private final Map<Long, Entry> entries = new HashMap<>();
  private final Map<Long, List<NamedType>> attributes = new HashMap<>();
  private final Map<Long, List<String>> labels = new HashMap<>();
  private final Map<Long, ColumnType> resolved = new HashMap<>();

  TypeCatalog(Connection connection) {
    this.connection = connection;
  }

  private record NamedType(String name, long type, int number) {}

  private record Entry(
      String name, char kind, long base, long relation, long element, char delimiter, String typeName, String jsonCast,
      String extension, long jsonCastFunction, long subtype) {
    boolean isHstore() {
      return "hstore".equals(extension) && "hstore".equals(typeName) && "hstore_to_json".equals(jsonCast);
    }
  }

  /** Reads these types and whatever they consist of. */
  void load(Collection<Long> types) throws SQLException {
    Set<Long> missing = new HashSet<>(types);
    missing.removeAll(entries.keySet());
    while (!missing.isEmpty()) {
      Set<Long> next = readTypes(missing);
      next.removeAll(entries.keySet());
      missing = next;
    }
  }

  /**
   * @throws IllegalStateException where the type was not loaded
   */
  ColumnType type(long oid) {
    ColumnType known = resolved.get(oid);
    if (known == null) {
      known = resolve(oid);
      resolved.put(oid, known);
    }
    return known;
  }

  private ColumnType resolve(long oid) {
    ColumnType builtIn = BUILT_IN.get(oid);
    if (builtIn != null) {
      return builtIn;
    }
    Entry entry = entries.get(oid);
    if (entry == null) {
      throw new IllegalStateException("type " + oid + " is not in the catalog any more");
    }
    if (entry.kind == 'd') {
      return type(entry.base);
    }
    if (VECTORS.contains(oid)) {
      return new ColumnType.Array(type(entry.element), VECTOR_DELIMITER);
    }
    if (entry.element != 0) {
      return new ColumnType.Array(type(entry.element), entry.delimiter);
    }
    if (entry.kind == 'c') {
      return new ColumnType.Composite(attributes.getOrDefault(entry.relation, List.of()).stream()
          .map(attribute -> new ColumnType.Attribute(attribute.name, type(attribute.type))).toList());
    }
    if (entry.isHstore()) {
      return new ColumnType.Hstore();
    }
    return entry.jsonCast == null ? new ColumnType.Text() : new ColumnType.ServerCast(entry.name);
  }

  /**
   * @throws IllegalStateException where the type was not loaded
   */
  TypeShape shape(long oid) {
    Entry entry = entries.get(oid);
    if (entry == null) {
      throw new IllegalStateException("type " + oid + " is not in the catalog any more");
    }
    if (entry.kind == 'd') {
      return shape(entry.base);
    }
    List<TypeShape.Attribute> parts = entry.kind == 'c'
        ? attributes.getOrDefault(entry.relation, List.of()).stream()
            .map(attribute -> new TypeShape.Attribute(attribute.name, attribute.number, shape(attribute.type))).toList()
        : List.of();
    // A type has one or the other.
    long held = entry.element + entry.subtype;
    List<TypeShape> element = held == 0 ? List.of() : List.of(shape(held));
    return new TypeShape(oid, entry.name, entry.jsonCastFunction, labels.getOrDefault(oid, List.of()), parts, element);
  }

  /** Reads them and says what they refer to. */
  private Set<Long> readTypes(Set<Long> oids) throws SQLException {
    Set<Long> parts = new HashSet<>();
    Set<Long> relations = new HashSet<>();
    Set<Long> enums = new HashSet<>();
    try (PreparedStatement statement = connection.prepareStatement(TYPES)) {
      statement.setArray(1, connection.createArrayOf("oid", oids.toArray()));
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          String delimiter = result.getString(7);
          Entry entry = new Entry(result.getString(2), result.getString(3).charAt(0), result.getLong(4),
              result.getLong(5),
              result.getLong(6), delimiter == null ? ',' : delimiter.charAt(0), result.getString(8),
              result.getString(9),
              result.getString(10), result.getLong(11), result.getLong(12));
          entries.put(result.getLong(1), entry);
          parts.add(entry.base);
          parts.add(entry.element);
          parts.add(entry.subtype);
          if (entry.kind == 'c') {
            relations.add(entry.relation);
          } else if (entry.kind == 'e') {
            enums.add(result.getLong(1));
          }
        }
      }
    }
    readLabels(enums);
    relations.removeAll(attributes.keySet());
    parts.addAll(readAttributes(relations));
    parts.remove(0L);
    for (long oid : oids) {
      if (!entries.containsKey(oid)) {
        throw new IllegalStateException("type " + oid + " is not in the catalog");
      }
    }
    return parts;
  }

  private void readLabels(Set<Long> enums) throws SQLException {
    if (enums.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(LABELS)) {
      statement.setArray(1, connection.createArrayOf("oid", enums.toArray()));
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          labels.computeIfAbsent(result.getLong(1), oid -> new ArrayList<>()).add(result.getString(2));
        }
      }
    }
  }

  private List<Long> readAttributes(Set<Long> relations) throws SQLException {
    List<Long> types = new ArrayList<>();
    if (relations.isEmpty()) {
      return types;
    }
    try (PreparedStatement statement = connection.prepareStatement(ATTRIBUTES)) {
      statement.setArray(1, connection.createArrayOf("oid", relations.toArray()));
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          NamedType attribute = new NamedType(result.getString(2), result.getLong(3), result.getInt(4));
          attributes.computeIfAbsent(result.getLong(1), oid -> new ArrayList<>()).add(attribute);
          types.add(attribute.type);
        }
      }
    }
    return types;
  }
}
