package dev.rowlog.connector.change;

import java.util.List;

/**
 * The columns of a row with PostgreSQL's own text of each value, as its output function prints it. Immutable by contract.
 */
public final class RowImage {
  /** Stands for a TOASTed value that the update did not change, so that the stream does not carry it. Compared by identity. */
  @SuppressWarnings("StringOperationCanBeSimplified")
  public static final String UNCHANGED_TOAST = new String("\u0000unchanged toast");

  private final List<String> columns;
  private final String[] values;

  /**
   * @param columns names, in the table's order
   * @param values text of each, null for NULL, {@link #UNCHANGED_TOAST}; not copied
   */
  public RowImage(List<String> columns, String[] values) {
    if (columns.size() != values.length) {
      throw new IllegalArgumentException(columns.size() + " columns but " + values.length + " values");
    }
    this.columns = columns;
    this.values = values;
  }

  public List<String> columns() {
    return columns;
  }

  /** Text of the i-th column, null for NULL. */
  public String value(int i) {
    return values[i];
  }

  public int size() {
    return values.length;
  }
}
