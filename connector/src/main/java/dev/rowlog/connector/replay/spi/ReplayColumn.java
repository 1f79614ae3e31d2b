package dev.rowlog.connector.replay.spi;

import java.util.Objects;

/**
 * A column of a mirrored table.
 *
 * @param type as {@code format_type} prints it under an empty search path: only a type outside {@code pg_catalog} has a
 *     schema before it
 * @param isEnum true for an enum type
 */
public record ReplayColumn(String name, String type, boolean isEnum) {
  public ReplayColumn {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
  }
}
