package dev.rowlog.connector.mapping;

/** The newest row of each key of a table, as it was written. The mapper's thread. */
@FunctionalInterface
public interface LastValues {
  /** Knows no row. */
  LastValues NONE = key -> null;

  /** The record's value; null where the key has no row. */
  byte[] of(byte[] key);
}
