package dev.rowlog.connector.catalog;

import java.sql.Connection;
import java.sql.SQLException;

/** Gives connections with {@link SessionPins}, from a pool or new: whoever takes one closes it. */
@FunctionalInterface
public interface ConnectionSource {
  Connection open() throws SQLException;
}
