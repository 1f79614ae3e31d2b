package dev.rowlog.connector.mapping;

import dev.rowlog.connector.catalog.Column;
import dev.rowlog.connector.catalog.TableSchema;
import dev.rowlog.connector.change.RowImage;
import java.util.List;
import java.util.function.Supplier;

/**
 * PostgreSQL's {@code to_json(row)::text}, byte by byte, from the text of each value and the catalog's types (D3), and the key's bytes (D2).
 * One thread: buffers are reused.
 */
public final class RowJson {
  private static final String RESYNC = "; the table was changed since its catalog was read: mirror it again";

  private final TableSchema schema;
  private final List<Column> columns;
  private final byte[][] labels;
  private final int[] keyColumns;
  private final JsonBytes out = new JsonBytes();

  /** The last row's columns and where each column of the table stands among them: rows of one kind share their list. */
  private List<String> knownColumns;
  private int[] knownPlaces;

  /**
   * @throws IllegalArgumentException where a key column is not a column of the table
   */
  public RowJson(TableSchema schema) {
    this.schema = schema;
    this.columns = schema.columns();
    this.labels = columns.stream().map(column -> label(column.name())).toArray(byte[][]::new);
    List<String> names = schema.columnNames();
    this.keyColumns = schema.keyColumns().stream().mapToInt(names::indexOf).toArray();
    for (int i = 0; i < keyColumns.length; i++) {
      if (keyColumns[i] < 0) {
        throw new IllegalArgumentException(
            schema.id() + " has no column " + schema.keyColumns().get(i) + ", which its key names");
      }
    }
  }

  public TableSchema schema() {
    return schema;
  }

  /** {@link #value(RowImage, Supplier)} of a row that carries all its values. */
  public byte[] value(RowImage row) {
    return value(row, () -> null);
  }

  /**
   * The whole row, in the table's column order.
   *
   * @param row columns by name, any order
   * @param last asked for the row's last value where a column is {@link RowImage#UNCHANGED_TOAST}; null where there is none
   * @throws MappingException where a column is missing or unknown, or its value known to nobody
   */
  public byte[] value(RowImage row, Supplier<byte[]> last) {
    int[] places = places(row);
    StoredRow stored = null;
    out.clear();
    out.raw('{');
    for (int i = 0; i < labels.length; i++) {
      if (i > 0) {
        out.raw(',');
      }
      out.raw(labels[i]);
      String text = text(row, places, i);
      if (isUnchangedToast(text)) {
        stored = stored == null ? stored(last.get(), i) : stored;
        out.raw(stored.json(), stored.start(i), stored.end(i));
      } else {
        write(i, text);
      }
    }
    out.raw('}');
    if (row.size() != labels.length) {
      // Every column of the table was found, so the row has one that the table had not.
      List<String> names = schema.columnNames();
      String unknown = row.columns().stream().filter(name -> !names.contains(name)).findFirst().orElse("twice");
      throw problem("the row has an unknown column " + unknown + RESYNC);
    }
    return out.toByteArray();
  }

  private StoredRow stored(byte[] last, int column) {
    if (last == null) {
      throw unknownToast(column);
    }
    try {
      return StoredRow.parse(last, labels);
    } catch (IllegalArgumentException e) {
      throw problem("the new value of column " + columns.get(column).name()
          + " is not in the change stream (a TOASTed value that the update left alone), and cannot be taken from the last row: "
          + e.getMessage() + RESYNC);
    }
  }

  /**
   * The key columns, in the key's order (D2).
   *
   * @throws MappingException where a key column is missing or null
   */
  public byte[] key(RowImage row) {
    if (keyColumns.length == 0) {
      throw problem("it has no key");
    }
    int[] places = places(row);
    out.clear();
    out.raw('{');
    for (int i = 0; i < keyColumns.length; i++) {
      if (i > 0) {
        out.raw(',');
      }
      int column = keyColumns[i];
      String text = text(row, places, column);
      if (isUnchangedToast(text)) {
        throw unknownToast(column);
      }
      if (text == null) {
        throw problem("key column " + columns.get(column).name() + " is null" + RESYNC);
      }
      out.raw(labels[column]);
      write(column, text);
    }
    out.raw('}');
    return out.toByteArray();
  }

  private String text(RowImage row, int[] places, int column) {
    if (places[column] < 0) {
      throw problem("the row has no column " + columns.get(column).name() + RESYNC);
    }
    return row.value(places[column]);
  }

  private MappingException unknownToast(int column) {
    return problem("the new value of column " + columns.get(column).name()
        + " is not in the change stream (a TOASTed value that the update left alone), and the log has no last row of its key; mirror the table again");
  }

  private void write(int column, String text) {
    try {
      ValueJson.write(out, columns.get(column).type(), text);
    } catch (IllegalArgumentException e) {
      throw problem("column " + columns.get(column).name() + " (" + columns.get(column).typeName()
          + ") cannot be printed exactly: " + e.getMessage() + RESYNC);
    }
  }

  private int[] places(RowImage row) {
    if (!isSameList(row.columns(), knownColumns)) {
      int[] found = new int[labels.length];
      for (int i = 0; i < found.length; i++) {
        found[i] = row.columns().indexOf(columns.get(i).name());
      }
      knownPlaces = found;
      knownColumns = row.columns();
    }
    return knownPlaces;
  }

  private MappingException problem(String problem) {
    return new MappingException(schema.id(), problem);
  }

  private static byte[] label(String name) {
    JsonBytes label = new JsonBytes();
    label.string(name);
    label.raw(':');
    return label.toByteArray();
  }

  /** The mark is an object of its own, compared by identity: no text of a database can be it. */
  @SuppressWarnings("ReferenceEquality")
  static boolean isUnchangedToast(String text) {
    return text == RowImage.UNCHANGED_TOAST;
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean isSameList(List<String> one, List<String> other) {
    return one == other;
  }
}
