package dev.rowlog.connector.catalog;

/**
 * A live column of a table.
 *
 * @param number pg_attribute.attnum: a column that is dropped and added again gets another one
 * @param typeName as {@code format_type} prints it, with modifiers
 * @param shape of its type, by which a later look tells whether the type was altered
 * @param generated {@code 's'} stored, {@code 'v'} virtual, {@code 0} neither (pg_attribute.attgenerated)
 */
public record Column(
    String name, int number, ColumnType type, String typeName, TypeShape shape, boolean notNull, char generated) {}
