package dev.rowlog.connector.replay.redis;

/** What a row becomes in Redis. */
public enum ValueShape {
  /** A string: the row's JSON, byte by byte. */
  JSON,
  /** A hash: a field a column; strings without quotes, everything else as JSON prints it, no field for null. */
  HASH
}
