package dev.rowlog.connector.capture.preflight;

import dev.rowlog.connector.catalog.Relation;
import dev.rowlog.connector.change.TableId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A publication as it is, and what brings it into the shape that a mirror needs: all four operations, partitions under their root's name, whole
 * rows of each table (PostgreSQL manual, CREATE PUBLICATION).
 *
 * @param exists false where there is none of that name
 * @param complete true where it publishes inserts, updates, deletes and truncates, by way of the root
 * @param published tables that it publishes, one way or another
 * @param listed tables that it names one by one
 * @param filtered tables of which it publishes only some columns or rows
 * @param ours true where our role may alter it, or create it where it does not exist
 * @param oid pg_publication.oid, 0 where there is none
 * @param entries pg_publication_rel.oid of each table in listed: another one after the table was taken out and put in again
 * @param altered transaction id of its row in pg_publication: another one after ALTER PUBLICATION … SET, OWNER TO or RENAME TO
 * @param schemas pg_publication_namespace.oid of each schema that it names
 */
public record Publication(
    String name, boolean exists, boolean complete, Set<TableId> published, Set<TableId> listed, Set<TableId> filtered,
    boolean ours, long oid, Map<TableId, Long> entries, String altered, Map<String, Long> schemas) {
  private static final String SHAPE = "(publish = 'insert, update, delete, truncate', publish_via_partition_root = true)";

  private static final String ITSELF = """
      select p.pubinsert and p.pubupdate and p.pubdelete and p.pubtruncate and p.pubviaroot as complete,
             pg_catalog.pg_has_role(p.pubowner, 'USAGE') as ours, p.oid, p.xmin::text as altered
        from pg_catalog.pg_publication p where p.pubname = ?""";

  private static final String PUBLISHED = "select schemaname, tablename from pg_catalog.pg_publication_tables where pubname = ?";

  private static final String LISTED = """
      select n.nspname, c.relname, r.prattrs is not null or r.prqual is not null, r.oid
        from pg_catalog.pg_publication_rel r
        join pg_catalog.pg_publication p on p.oid = r.prpubid
        join pg_catalog.pg_class c on c.oid = r.prrelid
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace
       where p.pubname = ?""";

  private static final String SCHEMAS = """
      select n.nspname, s.oid
        from pg_catalog.pg_publication_namespace s
        join pg_catalog.pg_publication p on p.oid = s.pnpubid
        join pg_catalog.pg_namespace n on n.oid = s.pnnspid
       where p.pubname = ?""";

  private static final String MAY_CREATE = "select pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE')";

  private static final String OWNED = """
      select count(*) from pg_catalog.pg_class c where c.oid = any (?) and not pg_catalog.pg_has_role(c.relowner, 'USAGE')""";

  public Publication {
    published = Set.copyOf(published);
    listed = Set.copyOf(listed);
    filtered = Set.copyOf(filtered);
    entries = Map.copyOf(entries);
    schemas = Map.copyOf(schemas);
  }

  /** Reads what the catalog says of it. */
  public static Publication read(Connection connection, String name) throws SQLException {
    boolean exists = false;
    boolean complete = false;
    boolean ours;
    long oid;
    String altered;
    try (PreparedStatement statement = named(connection, ITSELF, name);
        ResultSet result = statement.executeQuery()) {
      exists = result.next();
      complete = exists && result.getBoolean("complete");
      ours = exists ? result.getBoolean("ours") : mayCreate(connection);
      oid = exists ? result.getLong("oid") : 0;
      altered = exists ? result.getString("altered") : "";
    }
    Set<TableId> published = new HashSet<>();
    try (PreparedStatement statement = named(connection, PUBLISHED, name);
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        published.add(new TableId(result.getString(1), result.getString(2)));
      }
    }
    Set<TableId> listed = new HashSet<>();
    Set<TableId> filtered = new HashSet<>();
    Map<TableId, Long> entries = new HashMap<>();
    try (PreparedStatement statement = named(connection, LISTED, name);
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        TableId table = new TableId(result.getString(1), result.getString(2));
        listed.add(table);
        entries.put(table, result.getLong(4));
        if (result.getBoolean(3)) {
          filtered.add(table);
        }
      }
    }
    Map<String, Long> schemas = new HashMap<>();
    try (PreparedStatement statement = named(connection, SCHEMAS, name);
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        schemas.put(result.getString(1), result.getLong(2));
      }
    }
    return new Publication(name, exists, complete, published, listed, filtered, ours, oid, entries, altered, schemas);
  }

  /**
   * Why the stream does not carry every change of this table now; empty where it does.
   */
  public Optional<String> gap(TableId table) {
    if (!exists) {
      return Optional.of("publication " + name + " was dropped");
    }
    if (!complete) {
      return Optional
          .of("publication " + name + " was changed and no longer publishes every operation by way of the root");
    }
    if (!published.contains(table)) {
      return Optional.of("it was taken out of publication " + name);
    }
    return filtered.contains(table)
        ? Optional.of("publication " + name + " got a column list or a row filter for it")
        : Optional.empty();
  }

  /**
   * What changes where the table was out of the publication for a while: oids of the publication and of the table's entry, 0 for none.
   */
  public String mark(TableId table) {
    return oid + " " + entries.getOrDefault(table, 0L);
  }

  /**
   * What changes where it published less of the table for a while: the transaction that altered it last, and the oid of the entry of the table's
   * schema, 0 for none.
   */
  public String alteration(TableId table) {
    return altered + " " + schemas.getOrDefault(table.schema(), 0L);
  }

  /**
   * What is missing, in SQL; empty where it has the shape that we need. Filters are not taken away.
   *
   * @param tables mirrored ones
   * @param refused tables that shall not be in it
   */
  public List<String> statements(Collection<TableId> tables, Collection<TableId> refused) {
    String quoted = TableId.quote(name);
    if (!exists) {
      return List.of(
          "CREATE PUBLICATION " + quoted + (tables.isEmpty() ? "" : " FOR TABLE " + only(tables)) + " WITH " + SHAPE);
    }
    List<String> statements = new ArrayList<>();
    if (!complete) {
      statements.add("ALTER PUBLICATION " + quoted + " SET " + SHAPE);
    }
    List<TableId> missing = tables.stream().filter(table -> !published.contains(table)).sorted().toList();
    if (!missing.isEmpty()) {
      statements.add("ALTER PUBLICATION " + quoted + " ADD TABLE " + only(missing));
    }
    List<TableId> superfluous = refused.stream().filter(listed::contains).sorted().toList();
    if (!superfluous.isEmpty()) {
      statements.add("ALTER PUBLICATION " + quoted + " DROP TABLE " + only(superfluous));
    }
    return List.copyOf(statements);
  }

  /**
   * True where our role may run {@link #statements}: it owns the publication, or may create one, and owns the tables.
   */
  public boolean isChangeable(Connection connection, Collection<Relation> tables) throws SQLException {
    if (!ours) {
      return false;
    }
    Object[] oids = tables.stream().filter(table -> !published.contains(table.id())).map(table -> table.schema().oid())
        .toArray();
    try (PreparedStatement statement = connection.prepareStatement(OWNED)) {
      statement.setArray(1, connection.createArrayOf("oid", oids));
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getInt(1) == 0;
      }
    }
  }

  /** Runs statements of {@link #statements}, all or none. */
  public static void apply(Connection connection, List<String> statements) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
      connection.commit();
    } catch (SQLException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(autoCommit);
    }
  }

  /** ONLY: children by inheritance are tables of their own. */
  private static String only(Collection<TableId> tables) {
    return tables.stream().sorted().map(table -> "ONLY " + table.quoted()).collect(Collectors.joining(", "));
  }

  private static boolean mayCreate(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(MAY_CREATE)) {
      result.next();
      return result.getBoolean(1);
    }
  }

  private static PreparedStatement named(Connection connection, String sql, String name) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.setString(1, name);
    return statement;
  }
}
