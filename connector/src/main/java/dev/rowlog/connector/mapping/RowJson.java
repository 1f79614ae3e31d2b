package dev.rowlog.connector.mapping;

import dev.rowlog.connector.catalog.TableSchema;
import dev.rowlog.connector.change.RowImage;

/**
 * PostgreSQL's {@code to_json(row)::text}, byte by byte, from the text of each value and the catalog's types (D3). One thread: buffers are reused.
 */
public final class RowJson {
  private final TableSchema schema;

  public RowJson(TableSchema schema) {
    this.schema = schema;
  }

  public TableSchema schema() {
    return schema;
  }

  /**
   * The whole row, in the table's column order.
   *
   * @param row columns by name, any order
   * @throws MappingException where a column is missing or unknown, or a value is {@link RowImage#UNCHANGED_TOAST}
   */
  public byte[] value(RowImage row) {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * The key columns, in the key's order (D2).
   *
   * @throws MappingException where a key column is missing or null
   */
  public byte[] key(RowImage row) {
    throw new UnsupportedOperationException("skeleton");
  }
}
