package dev.rowlog.connector.catalog;

import dev.rowlog.connector.change.TableId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads which relations hold a table's rows. The connection's thread. */
public final class StoredParts {
  private static final String PARTS = """
      select p.root, n.nspname, c.relname, c.oid, c.relfilenode,
             coalesce((select string_agg(i.xmin::text, ' ' order by i.inhrelid)
                         from pg_catalog.pg_partition_ancestors(c.oid) a
                         join pg_catalog.pg_inherits i on i.inhrelid = a.relid), ''),
             coalesce((select string_agg(a.attnum || ':' || a.xmin, ' ' order by a.attnum)
                         from pg_catalog.pg_attribute a
                        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '')
        from (select r.root, coalesce(t.relid, r.root) as part, coalesce(t.isleaf, true) as leaf
                from unnest(?) as r (root) left join lateral pg_catalog.pg_partition_tree(r.root) t on true) p
        join pg_catalog.pg_class c on c.oid = p.part
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace
       where p.leaf and c.relkind <> 'p'
       order by p.root, c.oid""";

  /**
   * How long ago, in transactions, a partition was attached last, and whether it and all above it were made as partitions: ATTACH would have touched
   * their columns since their system columns were made.
   */
  private static final String ATTACHED = """
      select min(pg_catalog.age(i.xmin)),
             bool_and(exists (select from pg_catalog.pg_attribute u
                                join pg_catalog.pg_attribute s on s.attrelid = u.attrelid and s.attnum = -1
                               where u.attrelid = a.relid and u.attnum > 0
                                 and u.xmin::text = s.xmin::text and u.cmin::text = s.cmin::text))
        from pg_catalog.pg_partition_ancestors(?::oid) a
        join pg_catalog.pg_inherits i on i.inhrelid = a.relid""";

  private static final String INSUFFICIENT_PRIVILEGE = "42501";

  private StoredParts() {}

  /**
   * By the table's oid; a table that is gone, and a partitioned one without partitions, is not in it.
   */
  public static Map<Long, List<StoredPart>> read(Connection connection, Collection<Long> tables) throws SQLException {
    Map<Long, List<StoredPart>> parts = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(PARTS)) {
      statement.setArray(1, connection.createArrayOf("oid", tables.toArray()));
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          TableId id = new TableId(result.getString(2), result.getString(3));
          parts.computeIfAbsent(result.getLong(1), root -> new ArrayList<>()).add(new StoredPart(id, result.getLong(4),
              result.getLong(5), result.getString(6), result.getString(7)));
        }
      }
    }
    return parts;
  }

  /**
   * True where a partition may hold rows that were there when it was attached: no event told of them. Where our role may not read it, it may.
   */
  public static boolean mayHoldRowsOlderThanItsAttachment(Connection connection, StoredPart part) throws SQLException {
    long attachedAge;
    try (PreparedStatement statement = connection.prepareStatement(ATTACHED)) {
      statement.setLong(1, part.oid());
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        attachedAge = result.getLong(1);
        if (result.getBoolean(2)) {
          return false;
        }
      }
    }
    // Of the very transaction that attached it, too: it may have filled the table before.
    return exists(connection, part, ">= ?", attachedAge, true);
  }

  /**
   * True where it surely holds a row of before a transaction, so that no TRUNCATE came after that.
   *
   * @param xid of {@link #oldestRunning}
   */
  public static boolean holdsRowsOlderThan(Connection connection, StoredPart part, long xid) throws SQLException {
    return exists(connection, part, "> pg_catalog.age(?::text::pg_catalog.xid)", xid, false);
  }

  /** Every transaction with a lower id is over. 32 bits, as system columns have it. */
  public static long oldestRunning(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(
            "select pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::text::bigint & 4294967295")) {
      result.next();
      return result.getLong(1);
    }
  }

  /** Reads the partition until it finds a row. */
  private static boolean exists(Connection connection, StoredPart part, String age, long value, boolean unreadable)
      throws SQLException {
    String rows = "select exists (select from only " + part.id().quoted() + " where pg_catalog.age(xmin) " + age + ")";
    try (PreparedStatement statement = connection.prepareStatement(rows)) {
      statement.setLong(1, value);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getBoolean(1);
      }
    } catch (SQLException e) {
      if (INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
        return unreadable;
      }
      throw e;
    }
  }
}
