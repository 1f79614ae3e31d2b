package dev.rowlog.connector.capture.preflight;

import dev.rowlog.connector.capture.preflight.Finding.Kind;
import dev.rowlog.connector.capture.slot.SourceIdentity;
import dev.rowlog.connector.catalog.CatalogReader;
import dev.rowlog.connector.catalog.Relation;
import dev.rowlog.connector.catalog.SourceAddress;
import dev.rowlog.connector.catalog.SourceConnections;
import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.change.TableId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Looks at everything that capture needs and changes nothing: the server, our role, the tables, the publication. Reports all that it finds at once, as
 * far as one thing does not hide the next. Any thread.
 */
public final class Preflight {
  /** Tested with these; a newer one is tried. */
  public static final int OLDEST_VERSION = 15;

  private static final Pattern NAME = Pattern.compile("[a-z0-9_]{1,63}");

  private static final String SERVER = """
      select current_setting('wal_level') as wal_level, current_setting('server_encoding') as encoding,
             pg_catalog.pg_is_in_recovery() as standby, current_user as role,
             current_setting('max_replication_slots')::int as max_slots,
             (select count(*) from pg_catalog.pg_replication_slots) as slots,
             exists (select from pg_catalog.pg_replication_slots where slot_name = ?) as has_slot""";

  /** At whose first change Debezium stops, mirrored or not. */
  private static final String UNREADABLE = """
      select distinct p.schemaname, p.tablename
        from pg_catalog.pg_publication_tables p
        join pg_catalog.pg_namespace n on n.nspname = p.schemaname
        join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = p.tablename
        join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where p.pubname = ?
       group by p.schemaname, p.tablename, lower(a.attname) having count(*) > 1
       order by p.schemaname, p.tablename""";

  /** At which Debezium's registry of types ends, used by a table or not: it looks for the labels of every type of an enum's category. */
  private static final String WITHOUT_LABELS = """
      select n.nspname, t.typname, t.typtype = 'd'
        from pg_catalog.pg_type t
        join pg_catalog.pg_namespace n on n.oid = t.typnamespace
       where t.typcategory = 'E' and n.nspname <> 'pg_toast'
         and not exists (select from pg_catalog.pg_enum e where e.enumtypid = t.oid)
       order by n.nspname, t.typname""";

  private final TablePatterns patterns;
  private final String slot;
  private final String publication;
  private SourceConnections connections;
  private final List<Finding> findings = new ArrayList<>();
  private final List<Relation> accepted = new ArrayList<>();
  private List<String> publicationSql = List.of();

  private Preflight(TablePatterns patterns, String slot, String publication) {
    this.patterns = patterns;
    this.slot = slot;
    this.publication = publication;
  }

  /**
   * @param slot name of our slot, which need not exist
   * @param publication name of our publication, which need not exist where our role may create it
   */
  public static PreflightReport check(SourceAddress address, TablePatterns patterns, String slot, String publication) {
    Preflight preflight = new Preflight(patterns, slot, publication);
    preflight.checkAll(address);
    return new PreflightReport(preflight.findings, preflight.accepted, preflight.publicationSql,
        preflight.connections);
  }

  private void checkAll(SourceAddress address) {
    checkName("source.slot", slot);
    checkName("source.publication", publication);
    try {
      connections = SourceConnections.open(address);
      if (connections.majorVersion() < OLDEST_VERSION) {
        add(Kind.SERVER_VERSION, "the server is PostgreSQL " + connections.majorVersion(),
            "Rowlog needs " + OLDEST_VERSION + " or newer (15 to 18 are tested)");
        return;
      }
      try (Connection connection = connections.connect()) {
        String role = checkServer(connection);
        checkTypes(connection);
        checkReplication(connections, role);
        checkTables(connection, role);
      }
    } catch (SQLException e) {
      findings.add(ConnectionProblem.of(e, address));
      accepted.clear();
    }
  }

  private void checkName(String key, String name) {
    if (!NAME.matcher(name).matches()) {
      add(Kind.NAME, key + " is '" + name + "'", "use up to 63 lower-case letters, digits and underscores");
    }
  }

  private String checkServer(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SERVER)) {
      statement.setString(1, slot);
      try (ResultSet server = statement.executeQuery()) {
        server.next();
        if (!server.getString("wal_level").equals("logical")) {
          add(Kind.WAL_LEVEL, "wal_level is " + server.getString("wal_level"),
              "run ALTER SYSTEM SET wal_level = 'logical' and restart the server (on a managed service, its logical replication setting)");
        }
        if (server.getBoolean("standby")) {
          add(Kind.STANDBY, "the server is a standby", "point source.url to the primary");
        }
        if (server.getString("encoding").equals("SQL_ASCII")) {
          add(Kind.ENCODING, "the database's encoding is SQL_ASCII, so that its texts may be no text at all",
              "move the data into a database with encoding UTF8");
        }
        if (!server.getBoolean("has_slot") && server.getInt("slots") >= server.getInt("max_slots")) {
          add(Kind.SLOTS_USED_UP, "all " + server.getInt("max_slots") + " replication slots are in use",
              "drop one that nobody reads (pg_replication_slots), or raise max_replication_slots and restart the server");
        }
        return server.getString("role");
      }
    }
  }

  private void checkTypes(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(WITHOUT_LABELS);
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        TableId type = new TableId(result.getString(1), result.getString(2));
        boolean isDomain = result.getBoolean(3);
        add(Kind.ENUM_WITHOUT_LABELS,
            (isDomain ? "domain " + type + " is over an enum" : "type " + type + " is an enum without a label")
                + ", at which Debezium does not start, whether a table uses it or not",
            isDomain
                ? "give the columns that use it the enum itself and run DROP DOMAIN " + type.quoted()
                    + ", or make it over text with a CHECK"
                : "run ALTER TYPE " + type.quoted() + " ADD VALUE '…', or DROP TYPE " + type.quoted());
      }
    }
  }

  /** The only sure test is to do it: managed services grant the right in ways of their own. */
  private void checkReplication(SourceConnections connections, String role) throws SQLException {
    try (Connection replication = connections.connectForReplication()) {
      SourceIdentity.read(replication);
    } catch (SQLException e) {
      if ("42501".equals(e.getSQLState())) {
        add(Kind.NO_REPLICATION_RIGHT, "role " + role + " may not replicate",
            "run ALTER ROLE " + TableId.quote(role) + " REPLICATION");
      } else if ("53300".equals(e.getSQLState())) {
        add(Kind.SENDERS_USED_UP, "the server takes no further replication connection (" + e.getMessage().strip() + ")",
            "end one that is not needed (pg_stat_replication), or raise max_wal_senders and restart the server");
      } else {
        throw e;
      }
    }
  }

  private void checkTables(Connection connection, String role) throws SQLException {
    CatalogReader catalog = new CatalogReader(connection);
    List<Relation> relations = catalog.relations(patterns);
    checkNamed(connection, relations);
    Publication published = Publication.read(connection, publication);
    for (Relation relation : relations) {
      List<Finding> problems = new ArrayList<>(TableRules.check(relation, role));
      problems.addAll(PartitionRules.check(connection, relation));
      problems.addAll(NameRules.check(connection, relation));
      if (published.filtered().contains(relation.id())) {
        problems.add(TableRules.refused(relation, Kind.PUBLICATION_FILTER,
            "is in publication " + publication
                + " with a column list or a row filter, so that the stream lacks columns or rows",
            "run ALTER PUBLICATION " + TableId.quote(publication) + " DROP TABLE " + relation.id().quoted()
                + "; ALTER PUBLICATION "
                + TableId.quote(publication) + " ADD TABLE " + relation.id().quoted()));
      }
      if (problems.isEmpty()) {
        accepted.add(relation);
      }
      findings.addAll(problems);
    }
    checkPublication(connection, published);
  }

  private void checkNamed(Connection connection, List<Relation> relations) throws SQLException {
    List<TableId> found = relations.stream().map(Relation::id).toList();
    Set<TableId> partitions = new HashSet<>();
    relations.forEach(relation -> partitions.addAll(relation.leaves()));
    for (TableId wanted : patterns.literals()) {
      if (!found.contains(wanted) && !partitions.contains(wanted)) {
        add(Kind.NO_TABLE, "table " + wanted + " does not exist in this database", hint(connection, wanted));
      }
    }
    if (relations.isEmpty() && patterns.literals().isEmpty()) {
      add(Kind.NO_TABLE, "no table matches source.tables = " + patterns,
          "write schema.table, such as public.orders or shop.*");
    }
  }

  private static String hint(Connection connection, TableId wanted) throws SQLException {
    TablePatterns everything = TablePatterns.parse("*.*");
    List<TableId> tables = new CatalogReader(connection).names(everything);
    String folded = wanted.toString().toLowerCase(Locale.ROOT);
    return tables.stream().filter(table -> table.toString().toLowerCase(Locale.ROOT).equals(folded)).findFirst()
        .or(() -> tables.stream().filter(table -> table.table().equalsIgnoreCase(wanted.table())).findFirst())
        .map(table -> "did you mean " + table + "? (names are spelled as the catalog spells them)")
        .orElse("create it, or correct source.tables");
  }

  private void checkPublication(Connection connection, Publication published) throws SQLException {
    Set<TableId> refused = new HashSet<>();
    findings.forEach(finding -> finding.refusedTable().ifPresent(refused::add));
    publicationSql = published.statements(accepted.stream().map(Relation::id).toList(), refused);
    List<String> needed = published.statements(accepted.stream().map(Relation::id).toList(), List.of());
    if (!needed.isEmpty() && !published.isChangeable(connection, accepted)) {
      add(Kind.PUBLICATION, "publication " + publication + (published.exists()
          ? " does not publish all changes of all tables, and our role may not alter it"
          : " does not exist, and our role may not create it"),
          "have its owner run " + String.join("; ", needed));
    }
    checkUnreadable(connection, published, refused);
  }

  private void checkUnreadable(Connection connection, Publication published, Set<TableId> refused) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(UNREADABLE)) {
      statement.setString(1, publication);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          TableId table = new TableId(result.getString(1), result.getString(2));
          boolean leaves = published.ours() && published.listed().contains(table) && refused.contains(table);
          if (!leaves) {
            add(Kind.PUBLICATION, "publication " + publication + " holds table " + table
                + ", mirrored or not, whose columns differ only in case, at which the whole capture would stop",
                "rename one of them, or have the publication's owner take the table out of it");
          }
        }
      }
    }
  }

  private void add(Kind kind, String problem, String cure) {
    findings.add(Finding.of(kind, problem, cure));
  }
}
