package dev.rowlog.connector.catalog;

/**
 * A live column of a table.
 *
 * @param typeName as {@code format_type} prints it, with modifiers
 * @param generated {@code 's'} stored, {@code 'v'} virtual, {@code 0} neither (pg_attribute.attgenerated)
 */
public record Column(String name, ColumnType type, String typeName, boolean notNull, char generated) {}
