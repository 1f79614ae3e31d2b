package dev.rowlog.connector.watch;

import dev.rowlog.connector.capture.preflight.StreamRules;
import dev.rowlog.connector.catalog.Relation;
import dev.rowlog.connector.catalog.StoredPart;
import dev.rowlog.connector.catalog.StoredParts;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.table.SchemaVersion;
import dev.rowlog.connector.table.SourceCatalog;
import dev.rowlog.connector.table.SourcePool;
import dev.rowlog.connector.table.StorageChange;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Looks whether a mirrored table was changed in a way that sends no event: most DDL, partitions, the publication. {@link #look} by one thread at a
 * time; {@link #committed} and {@link #truncated} by any.
 */
public final class SchemaWatch {
  private static final String CURE = "; mirror it again from the start, with another data.dir and source.slot";

  private final SourcePool pool;
  private final String publication;
  private final Map<TableId, SchemaVersion> known;
  private final Map<TableId, Pending> pending = new HashMap<>();
  private final Map<TableId, Lsn> truncations;
  private volatile Lsn committed;

  /** What a look finds. Called by the thread that looks. */
  public interface Findings {
    /** Its log cannot be known to equal the table any more. Once a table. */
    void broken(TableId table, String reason);

    /** The definition changed, and no row with it. */
    void changed(SchemaVersion version);
  }

  /**
   * Partitions have new files, and it is not known yet whether the stream tells why.
   *
   * @param until where the stream would have told
   */
  private record Pending(SchemaVersion version, Lsn until) {}

  /**
   * @param known of each table to watch: as its rows were written, or as the last look found it
   * @param committed where the stream goes on
   * @param truncations followed before
   */
  public SchemaWatch(
      SourcePool pool, String publication, Map<TableId, SchemaVersion> known, Lsn committed,
      Map<TableId, Lsn> truncations) {
    this.pool = pool;
    this.publication = publication;
    this.known = new TreeMap<>(known);
    this.committed = committed;
    this.truncations = new ConcurrentHashMap<>(truncations);
  }

  /** The stream was followed so far. */
  public void committed(Lsn lsn) {
    committed = lsn;
  }

  /** A TRUNCATE of the whole table was followed. */
  public void truncated(TableId table, Lsn lsn) {
    truncations.put(table, lsn);
  }

  public void look(Findings findings) throws SQLException {
    try (Connection connection = pool.take()) {
      SourceCatalog catalog = SourceCatalog.read(connection, known.keySet(), table -> known.get(table).topic(),
          publication);
      for (SchemaVersion version : List.copyOf(known.values())) {
        Optional<String> reason = look(connection, catalog, version, findings);
        if (reason.isPresent()) {
          known.remove(version.table());
          findings.broken(version.table(),
              version.table() + " was changed since its rows were written: " + reason.get() + CURE);
        }
      }
    }
  }

  /** Why the table breaks; empty where it goes on. */
  private Optional<String> look(
      Connection connection, SourceCatalog catalog, SchemaVersion version, Findings findings)
      throws SQLException {
    Optional<String> breach = catalog.breach(version);
    if (breach.isPresent()) {
      return breach;
    }
    SchemaVersion now = catalog.versions().get(version.table());
    Relation relation = catalog.relations().get(version.table());
    Optional<String> problem = StreamRules.problem(connection, relation);
    if (problem.isPresent()) {
      return problem;
    }
    StorageChange change = version.storageChangeTo(now);
    for (StoredPart part : change.added()) {
      if (StoredParts.mayHoldRowsOlderThanItsAttachment(connection, part)) {
        return Optional.of("partition " + part.id()
            + " was attached with rows in it (or unreadable to our role), which no event told");
      }
    }
    Pending waiting = pending.remove(version.table());
    if (!change.emptied().isEmpty()) {
      return lookAtEmptied(connection, catalog, version, waiting, change.emptied(), findings);
    }
    if (!version.isSameAs(now)) {
      adopt(now, findings);
    }
    return Optional.empty();
  }

  private Optional<String> lookAtEmptied(Connection connection, SourceCatalog catalog, SchemaVersion version,
      Pending waiting, List<StoredPart> emptied, Findings findings) throws SQLException {
    TableId table = version.table();
    SchemaVersion now = catalog.versions().get(table);
    Optional<StoredPart> unexplained = Optional.empty();
    for (StoredPart part : emptied) {
      if (!StoredParts.holdsRowsOlderThan(connection, part, version.xid())) {
        unexplained = Optional.of(part);
        break;
      }
    }
    if (unexplained.isEmpty()) {
      // Rows that were there at the last look still are: VACUUM FULL or CLUSTER.
      adopt(now, findings);
      return Optional.empty();
    }
    if (waiting == null) {
      pending.put(table, new Pending(now, catalog.end()));
      return Optional.empty();
    }
    if (committed.compareTo(waiting.until) < 0) {
      pending.put(table, waiting);
      return Optional.empty();
    }
    Lsn truncated = truncations.get(table);
    if (truncated != null && truncated.compareTo(version.lsn()) > 0) {
      // As it was when it was first seen: what happened since is for the next look.
      adopt(waiting.version, findings);
      return Optional.empty();
    }
    return Optional.of("partition " + unexplained.get().id()
        + " has another file: it was truncated alone, which sends no event, or VACUUM FULL or CLUSTER wrote it again");
  }

  private void adopt(SchemaVersion now, Findings findings) {
    known.put(now.table(), now);
    findings.changed(now);
  }
}
