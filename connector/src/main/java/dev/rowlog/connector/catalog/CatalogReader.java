package dev.rowlog.connector.catalog;

import dev.rowlog.connector.change.TableId;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads tables, columns, types and keys from the catalog. One thread, one connection with {@link SessionPins}, which it does not close; inside a
 * transaction of the caller it reads that transaction's snapshot.
 */
public final class CatalogReader {
  private static final String RELATIONS = """
      select c.oid, n.nspname, c.relname, c.relkind, c.relpersistence, c.relispartition, c.relreplident,
             c.relrowsecurity and pg_catalog.row_security_active(c.oid) as row_security,
             pg_catalog.has_schema_privilege(n.oid, 'USAGE') and pg_catalog.has_table_privilege(c.oid, 'SELECT') as selectable
        from pg_catalog.pg_class c
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'v', 'm', 'f')
         and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
       order by n.nspname, c.relname""";

  private static final String COLUMNS = """
      select a.attrelid, a.attname, a.atttypid, pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attgenerated,
             a.attnum
        from pg_catalog.pg_attribute a
       where a.attrelid = any (?) and a.attnum > 0 and not a.attisdropped
       order by a.attrelid, a.attnum""";

  /** Columns of primary keys and of replica identity indexes, in the index's order; INCLUDE columns are beyond indnkeyatts. */
  private static final String KEYS = """
      select i.indrelid, i.indisprimary, i.indisreplident, i.indimmediate, a.attname
        from pg_catalog.pg_index i
        cross join lateral unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
        join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
       where i.indrelid = any (?) and (i.indisprimary or i.indisreplident) and k.place <= i.indnkeyatts
       order by i.indrelid, i.indexrelid, k.place""";

  private static final String LEAVES = """
      select p.root, n.nspname, c.relname
        from (select r.root, t.relid, t.isleaf
                from unnest(?) as r (root) cross join lateral pg_catalog.pg_partition_tree(r.root) t) p
        join pg_catalog.pg_class c on c.oid = p.relid
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace
       where p.isleaf and c.relkind <> 'p'
       order by p.root, n.nspname, c.relname""";

  /** All partitions below these roots, at any level. */
  private static final String DESCENDANTS = """
      select n.nspname, c.relname
        from unnest(?) as r (root)
        cross join lateral pg_catalog.pg_partition_tree(r.root) t
        join pg_catalog.pg_class c on c.oid = t.relid
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace
       where t.relid <> r.root""";

  private final Connection connection;
  private final TypeCatalog types;

  public CatalogReader(Connection connection) {
    this.connection = connection;
    this.types = new TypeCatalog(connection);
  }

  /**
   * Everything that the patterns name, mirrorable or not, by schema and name. A partition whose root is named too is left out: its rows belong to
   * the root.
   */
  public List<Relation> relations(TablePatterns patterns) throws SQLException {
    List<Row> rows = rows().stream().filter(row -> patterns.matches(row.id)).toList();
    return describe(withoutPartitionsOf(rows));
  }

  /** Names only, without what they are made of. */
  public List<TableId> names(TablePatterns patterns) throws SQLException {
    return rows().stream().map(Row::id).filter(patterns::matches).toList();
  }

  /** These tables, as far as they exist. */
  public List<Relation> relations(Collection<TableId> tables) throws SQLException {
    Set<TableId> wanted = new HashSet<>(tables);
    return describe(rows().stream().filter(row -> wanted.contains(row.id)).toList());
  }

  /** One table; empty where it does not exist. */
  public Optional<TableSchema> table(TableId id) throws SQLException {
    return relations(List.of(id)).stream().findFirst().map(Relation::schema);
  }

  private record Row(
      long oid, TableId id, char kind, char persistence, boolean partition, char identity, boolean rowSecurity,
      boolean selectable) {}

  private List<Row> rows() throws SQLException {
    List<Row> rows = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(RELATIONS);
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        rows.add(new Row(result.getLong("oid"), new TableId(result.getString("nspname"), result.getString("relname")),
            result.getString("relkind").charAt(0), result.getString("relpersistence").charAt(0),
            result.getBoolean("relispartition"),
            result.getString("relreplident").charAt(0), result.getBoolean("row_security"),
            result.getBoolean("selectable")));
      }
    }
    rows.sort(Comparator.comparing(Row::id));
    return rows;
  }

  private List<Row> withoutPartitionsOf(List<Row> rows) throws SQLException {
    Set<TableId> belonging = new HashSet<>();
    try (PreparedStatement statement = connection.prepareStatement(DESCENDANTS)) {
      statement.setArray(1, oids(rows.stream().filter(row -> row.kind == 'p').toList()));
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          belonging.add(new TableId(result.getString(1), result.getString(2)));
        }
      }
    }
    return rows.stream().filter(row -> !belonging.contains(row.id)).toList();
  }

  private List<Relation> describe(List<Row> rows) throws SQLException {
    Map<Long, List<Column>> columns = columns(rows);
    Map<Long, Keys> keys = keys(rows);
    Map<Long, List<TableId>> leaves = leaves(rows);
    List<Relation> relations = new ArrayList<>();
    for (Row row : rows) {
      Keys key = keys.getOrDefault(row.oid, new Keys());
      TableSchema schema = new TableSchema(row.id, row.oid, columns.getOrDefault(row.oid, List.of()),
          key.usable(row.identity),
          row.identity, 1);
      relations
          .add(new Relation(schema, row.kind, row.persistence, row.partition, key.onlyDeferrable(), row.rowSecurity,
              row.selectable, leaves.getOrDefault(row.oid, row.kind == 'p' ? List.of() : List.of(row.id))));
    }
    return relations;
  }

  private Map<Long, List<Column>> columns(List<Row> rows) throws SQLException {
    record Raw(
        long table, String name, int number, long type, String typeName, boolean notNull, char generated) {}
    List<Raw> raws = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
      statement.setArray(1, oids(rows));
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          String generated = result.getString(6);
          raws.add(
              new Raw(result.getLong(1), result.getString(2), result.getInt(7), result.getLong(3), result.getString(4),
                  result.getBoolean(5),
                  generated == null || generated.isEmpty() ? 0 : generated.charAt(0)));
        }
      }
    }
    types.load(raws.stream().map(Raw::type).toList());
    Map<Long, List<Column>> columns = new HashMap<>();
    for (Raw raw : raws) {
      columns.computeIfAbsent(raw.table, oid -> new ArrayList<>())
          .add(new Column(raw.name, raw.number, types.type(raw.type), raw.typeName, types.shape(raw.type), raw.notNull,
              raw.generated));
    }
    return columns;
  }

  /** The keys that a table offers. */
  private static final class Keys {
    private final List<String> primary = new ArrayList<>();
    private final List<String> deferrablePrimary = new ArrayList<>();
    private final List<String> identityIndex = new ArrayList<>();

    /**
     * The key whose old values every update and delete carries: the identity index where one is set, else the primary key. Under FULL a
     * deferrable key serves as well.
     */
    List<String> usable(char identity) {
      return switch (identity) {
        case 'i' -> identityIndex;
        case 'f' -> primary.isEmpty() ? deferrablePrimary : primary;
        case 'd' -> primary;
        default -> List.of();
      };
    }

    boolean onlyDeferrable() {
      return primary.isEmpty() && identityIndex.isEmpty() && !deferrablePrimary.isEmpty();
    }
  }

  private Map<Long, Keys> keys(List<Row> rows) throws SQLException {
    Map<Long, Keys> keys = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(KEYS)) {
      statement.setArray(1, oids(rows));
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          Keys key = keys.computeIfAbsent(result.getLong(1), oid -> new Keys());
          String column = result.getString(5);
          if (result.getBoolean(2)) {
            (result.getBoolean(4) ? key.primary : key.deferrablePrimary).add(column);
          }
          if (result.getBoolean(3)) {
            key.identityIndex.add(column);
          }
        }
      }
    }
    return keys;
  }

  private Map<Long, List<TableId>> leaves(List<Row> rows) throws SQLException {
    Map<Long, List<TableId>> leaves = new LinkedHashMap<>();
    List<Row> roots = rows.stream().filter(row -> row.kind == 'p').toList();
    if (roots.isEmpty()) {
      return leaves;
    }
    try (PreparedStatement statement = connection.prepareStatement(LEAVES)) {
      statement.setArray(1, oids(roots));
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          leaves.computeIfAbsent(result.getLong(1), oid -> new ArrayList<>())
              .add(new TableId(result.getString(2), result.getString(3)));
        }
      }
    }
    return leaves;
  }

  private Array oids(List<Row> rows) throws SQLException {
    return connection.createArrayOf("oid", rows.stream().map(Row::oid).toArray());
  }
}
