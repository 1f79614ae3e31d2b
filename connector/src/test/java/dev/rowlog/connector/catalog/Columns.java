package dev.rowlog.connector.catalog;

import java.util.List;

/** Columns for tests that need no more of a type than its name. */
public final class Columns {
  private Columns() {}

  public static Column column(String name, ColumnType type, String typeName) {
    return column(name, 1, type, shape(23, typeName));
  }

  public static Column column(String name, int number, ColumnType type, TypeShape shape) {
    return new Column(name, number, type, shape.name(), shape, true, (char) 0);
  }

  public static TypeShape shape(long oid, String name) {
    return new TypeShape(oid, name, 0, List.of(), List.of(), List.of());
  }
}
