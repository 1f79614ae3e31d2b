package dev.rowlog.connector.catalog;

import dev.rowlog.connector.change.TableId;
import java.util.List;

/**
 * A table as it is now.
 *
 * @param oid pg_class.oid
 * @param columns live columns in the table's order
 * @param keyColumns names of the key's columns in the key's order; empty where the table has no usable key
 * @param replicaIdentity {@code d} default, {@code f} full, {@code i} index, {@code n} nothing (pg_class.relreplident)
 * @param version schema version in {@code __rowlog_schemas}, from 1
 */
public record TableSchema(
    TableId id, long oid, List<Column> columns, List<String> keyColumns, char replicaIdentity, int version) {
  public TableSchema {
    columns = List.copyOf(columns);
    keyColumns = List.copyOf(keyColumns);
  }

  public List<String> columnNames() {
    return columns.stream().map(Column::name).toList();
  }
}
