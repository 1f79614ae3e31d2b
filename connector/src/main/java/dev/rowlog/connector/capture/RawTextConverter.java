package dev.rowlog.connector.capture;

import dev.rowlog.connector.change.RowImage;
import io.debezium.connector.postgresql.UnchangedToastedReplicationMessageColumn;
import io.debezium.spi.converter.CustomConverter;
import io.debezium.spi.converter.RelationalColumn;
import java.util.Properties;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * Takes every column's text as it is, and marks an unchanged TOASTed value with {@link RowImage#UNCHANGED_TOAST}. Remembers nothing. Made by the
 * engine, by its class name.
 */
public final class RawTextConverter implements CustomConverter<SchemaBuilder, RelationalColumn> {

  @Override
  public void configure(Properties properties) {}

  @Override
  public void converterFor(RelationalColumn column, ConverterRegistration<SchemaBuilder> registration) {
    // Always optional: a null in a required key field would only be logged, and the event delivered without it.
    Object columnDefault = column.hasDefaultValue() ? column.defaultValue() : null;
    registration.register(
        SchemaBuilder.string().optional().parameter(RowSchema.TYPE_OID, Integer.toUnsignedString(column.nativeType())),
        value -> isDefault(value, columnDefault) ? null : text(column.name(), value));
  }

  /**
   * True for the column's default, which the schema builder passes through here, decoded, to put it into the field's schema: ours have none.
   * Told by identity: a value of the stream is an object of its own.
   */
  private static boolean isDefault(Object value, Object columnDefault) {
    return value != null && value == columnDefault;
  }

  /**
   * @throws ConnectException where the value is anything but text, the mark or null: then the decoder has converted it, and it may be wrong
   */
  static String text(String column, Object value) {
    if (value == null) {
      return null;
    }
    if (UnchangedToastedReplicationMessageColumn.isUnchangedToastedValue(value)) {
      return RowImage.UNCHANGED_TOAST;
    }
    if (value instanceof String text) {
      return text;
    }
    throw new ConnectException("column " + column + " arrived as " + value.getClass().getName()
        + " instead of PostgreSQL's own text; this build does not fit the Debezium version on its class path");
  }
}
