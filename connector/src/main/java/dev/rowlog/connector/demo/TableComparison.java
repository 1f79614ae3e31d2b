package dev.rowlog.connector.demo;

import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.record.Record;
import dev.rowlog.engine.replay.DirectoryReader;
import dev.rowlog.engine.replay.LogCursor;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A table against the replay of its log: key by key, byte by byte with PostgreSQL's own {@code to_json(row)::text}
 * (D3).
 *
 * @param records replayed, tombstones among them
 * @param rows of the table
 * @param live keys that the replay ended with
 * @param differences keys that only one side has, and rows that differ
 */
record TableComparison(String table, long records, long rows, long live, long differences) {
  /** Each connection that prints rows has these (D3). */
  private static final List<String> PINS = List.of(
      "set timezone = 'UTC'", "set datestyle = 'ISO'", "set intervalstyle = 'postgres'", "set bytea_output = 'hex'",
      "set extra_float_digits = 1", "set lc_monetary = 'C'", "set row_security = off");

  /**
   * @param keyColumns quoted for SQL, in the key's order
   */
  static TableComparison of(Connection connection, String table, String keyColumns, DirectoryReader reader,
      String topic)
      throws SQLException {
    Map<ByteBuffer, byte[]> replayed = new HashMap<>();
    long records = replay(reader, topic, replayed);
    long live = replayed.size();
    long rows = 0;
    long differences = 0;
    try (Statement statement = connection.createStatement()) {
      for (String pin : PINS) {
        statement.execute(pin);
      }
      String sql = "select convert_to(to_json(k.*)::text, 'UTF8'), convert_to(to_json(t.*)::text, 'UTF8') from " + table
          + " t cross join lateral (select " + keyColumns + ") k";
      try (ResultSet row = statement.executeQuery(sql)) {
        while (row.next()) {
          rows++;
          byte[] value = replayed.remove(ByteBuffer.wrap(row.getBytes(1)));
          differences += Arrays.equals(value, row.getBytes(2)) ? 0 : 1;
        }
      }
    }
    return new TableComparison(table, records, rows, live, differences + replayed.size());
  }

  /** From offset zero: a value replaces, a tombstone removes. */
  private static long replay(DirectoryReader reader, String topic, Map<ByteBuffer, byte[]> state) {
    long records = 0;
    try (LogCursor cursor = reader.cursor(TopicPartition.of(topic), 0)) {
      while (cursor.next()) {
        records++;
        Record entry = cursor.record();
        if (entry.isTombstone()) {
          state.remove(ByteBuffer.wrap(entry.key()));
        } else {
          state.put(ByteBuffer.wrap(entry.key()), entry.value());
        }
      }
    }
    return records;
  }
}
