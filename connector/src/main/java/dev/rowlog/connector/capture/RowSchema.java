package dev.rowlog.connector.capture;

import dev.rowlog.connector.catalog.Column;
import dev.rowlog.connector.catalog.TableSchema;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/**
 * Compares the rows of the stream with the table as its catalog was read. pgoutput describes a table anew before its first row after an ALTER, as the
 * table was at that row. Pure.
 */
final class RowSchema {
  /** Parameter of a field's schema: oid of its type, of a domain's its base type's. */
  static final String TYPE_OID = "rowlog.type";

  private RowSchema() {}

  /** What differs in columns or types, in words; empty where nothing does. */
  static Optional<String> difference(TableSchema table, Schema row) {
    List<Field> fields = row.fields();
    for (int i = 0; i < Math.max(fields.size(), table.columns().size()); i++) {
      String before = i < table.columns().size() ? describe(table.columns().get(i)) : "no column";
      String after = i < fields.size() ? describe(fields.get(i), table) : "no column";
      if (!before.equals(after)) {
        return Optional.of("it had " + before + " when it was read and has " + after + " in its place");
      }
    }
    return Optional.empty();
  }

  private static String describe(Column column) {
    return column.name() + " " + column.shape().name() + " (type " + column.shape().oid() + ")";
  }

  private static String describe(Field field, TableSchema table) {
    String oid = field.schema().parameters() == null ? "unknown" : field.schema().parameters().get(TYPE_OID);
    String name = table.columns().stream().map(Column::shape).filter(shape -> Long.toString(shape.oid()).equals(oid))
        .findFirst().map(shape -> shape.name() + " ").orElse("");
    return field.name() + " " + name + "(type " + oid + ")";
  }

  /**
   * What differs in the key. Debezium delivers an event with a null key field without a word: after a rename of a key column, or where a value could
   * not be read.
   */
  static Optional<String> keyDifference(TableSchema table, Object key) {
    List<String> wanted = table.keyColumns();
    if (!(key instanceof Struct struct)) {
      return Optional.of("its key was " + wanted + " and it has none");
    }
    List<Field> fields = struct.schema().fields();
    boolean same = fields.size() == wanted.size();
    for (int i = 0; same && i < fields.size(); i++) {
      same = fields.get(i).name().equals(wanted.get(i));
    }
    if (!same) {
      return Optional.of("its key was " + wanted + " and is " + fields.stream().map(Field::name).toList());
    }
    for (Field field : fields) {
      if (struct.getWithoutDefault(field.name()) == null) {
        return Optional.of("key column " + field.name() + " holds null");
      }
    }
    return Optional.empty();
  }
}
