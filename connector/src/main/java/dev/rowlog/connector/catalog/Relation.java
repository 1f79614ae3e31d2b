package dev.rowlog.connector.catalog;

import dev.rowlog.connector.change.TableId;
import java.util.List;

/**
 * A relation that a pattern names, mirrored or not: the table and what decides whether it can be.
 *
 * @param kind pg_class.relkind: {@code r} table, {@code p} partition root, {@code v} view, {@code m} materialized view, {@code f} foreign table
 * @param persistence pg_class.relpersistence: {@code p} permanent, {@code u} unlogged, {@code t} temporary
 * @param partition true where it is a partition of another table
 * @param deferrableKey true where its only key is a deferrable constraint, which PostgreSQL does not take as a replica identity
 * @param rowSecurity true where row-level security would hide rows from our role
 * @param selectable true where our role may read every column
 * @param leaves of a partition root, the partitions that hold rows; of any other relation, itself
 */
public record Relation(
    TableSchema schema,
    char kind,
    char persistence,
    boolean partition,
    boolean deferrableKey,
    boolean rowSecurity,
    boolean selectable,
    List<TableId> leaves) {
  public Relation {
    leaves = List.copyOf(leaves);
  }

  public TableId id() {
    return schema.id();
  }
}
