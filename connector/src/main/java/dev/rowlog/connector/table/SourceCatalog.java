package dev.rowlog.connector.table;

import dev.rowlog.connector.capture.preflight.Publication;
import dev.rowlog.connector.catalog.CatalogReader;
import dev.rowlog.connector.catalog.Relation;
import dev.rowlog.connector.catalog.StoredPart;
import dev.rowlog.connector.catalog.StoredParts;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.TableId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Tables and their publication as one snapshot of the catalog shows them. Immutable.
 *
 * @param lsn what the source had written before it was read
 * @param end what it had written afterwards
 * @param relations those of the tables that exist
 * @param versions their definitions
 */
public record SourceCatalog(
    Lsn lsn, Lsn end, Publication publication, Map<TableId, Relation> relations, Map<TableId, SchemaVersion> versions) {
  public SourceCatalog {
    relations = Map.copyOf(relations);
    versions = Map.copyOf(versions);
  }

  /**
   * @param connection in autocommit mode
   * @param topics where the tables' records go
   */
  public static SourceCatalog read(
      Connection connection, Collection<TableId> tables, Function<TableId, String> topics, String publication)
      throws SQLException {
    Lsn lsn = currentLsn(connection);
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    connection.setAutoCommit(false);
    try {
      return readInSnapshot(connection, lsn, tables, topics, publication);
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    }
  }

  /**
   * @param connection in a transaction that keeps its snapshot
   * @param lsn at or below everything that the snapshot does not show
   */
  public static SourceCatalog readInSnapshot(
      Connection connection, Lsn lsn, Collection<TableId> tables, Function<TableId, String> topics, String publication)
      throws SQLException {
    long xid = StoredParts.oldestRunning(connection);
    Publication published = Publication.read(connection, publication);
    List<Relation> relations = new CatalogReader(connection).relations(tables);
    Map<Long, List<StoredPart>> parts = StoredParts.read(connection,
        relations.stream().map(relation -> relation.schema().oid()).toList());
    Map<TableId, Relation> found = new TreeMap<>();
    Map<TableId, SchemaVersion> versions = new TreeMap<>();
    for (Relation relation : relations) {
      found.put(relation.id(), relation);
      versions.put(relation.id(), SchemaVersion.of(relation.schema(), new SchemaVersion.Context(
          topics.apply(relation.id()), lsn, xid, published.mark(relation.id()),
          published.alteration(relation.id()),
          parts.getOrDefault(relation.schema().oid(), List.of()))));
    }
    return new SourceCatalog(lsn, currentLsn(connection), published, found, versions);
  }

  private static Lsn currentLsn(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select pg_catalog.pg_current_wal_insert_lsn()")) {
      result.next();
      return Lsn.parse(result.getString(1));
    }
  }

  /**
   * Why this table's log may differ from the table, or will from now on, whatever the stream still brings; empty where nothing says so.
   *
   * @param known as its records were written, or as the last look found it
   */
  public Optional<String> breach(SchemaVersion known) {
    SchemaVersion now = versions.get(known.table());
    if (now == null) {
      return Optional.of("the table was dropped or renamed");
    }
    return publication.gap(known.table())
        .or(() -> known.differenceTo(now))
        .or(() -> known.storageChangeTo(now).broken());
  }
}
