package dev.rowlog.connector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.postgres.TestDatabase;
import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.record.Header;
import dev.rowlog.engine.record.Record;
import dev.rowlog.engine.replay.LogCursor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A log, replayed from offset zero. */
final class ReplayedLog {
  private final Map<String, String> rows = new TreeMap<>();
  private final List<Record> records = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();

  /** Reads the committed log. */
  static ReplayedLog read(LogEngine engine, String topic) {
    try (LogCursor cursor = engine.cursor(TopicPartition.of(topic), 0)) {
      return read(cursor);
    }
  }

  static ReplayedLog read(LogCursor cursor) {
    ReplayedLog log = new ReplayedLog();
    Set<String> deletedBy = new HashSet<>();
    while (cursor.next()) {
      log.apply(cursor.record(), deletedBy);
    }
    return log;
  }

  /**
   * Strict: an insert of a key that lives, an update or delete of one that does not, means that a change was lost or
   * came twice.
   */
  private void apply(Record record, Set<String> deletedBy) {
    String key = text(record.key());
    String what = header(record, "__op") + " of " + key + " at offset " + record.offset();
    if (record.isTombstone()) {
      if (rows.remove(key) == null) {
        violations.add("deletes what is not there: " + what);
      }
      deletedBy.add(header(record, "__txid") + " " + key);
    } else {
      boolean existed = rows.put(key, text(record.value())) != null;
      String op = header(record, "__op");
      if (existed && (op.equals("c") || op.equals("r"))) {
        violations.add("inserts what is there: " + what);
      }
      if (!existed && op.equals("u") && !isKeyChange(record)) {
        violations.add("updates what is not there: " + what);
      }
    }
    records.add(record);
  }

  /** The new row of a key change follows the tombstone of the old key in the same transaction, at the same place. */
  private boolean isKeyChange(Record record) {
    if (records.isEmpty()) {
      return false;
    }
    Record before = records.get(records.size() - 1);
    return before.isTombstone() && header(before, "__txid").equals(header(record, "__txid"))
        && header(before, "__op").equals("u");
  }

  /** Steps on the way that were wrong. */
  List<String> violations() {
    return violations;
  }

  Map<String, String> rows() {
    return rows;
  }

  List<Record> records() {
    return records;
  }

  /** Every row of the table, byte by byte, and nothing else; and no step on the way was wrong. */
  void assertEquals(TestDatabase database, String table) {
    assertThat(violations).as(table).isEmpty();
    assertRows(database, table);
  }

  /** The rows alone: what holds after a cleaning too, which takes steps on the way. */
  void assertRows(TestDatabase database, String table) {
    List<String> expected = new ArrayList<>(database.queryTexts("select to_json(t.*)::text from " + table + " t"));
    expected.sort(null);
    // Sorted, since a comparison in any order takes the square of the rows.
    assertThat(rows.values().stream().sorted().toList()).as(table).isEqualTo(expected);
  }

  static String header(Record record, String name) {
    for (Header header : record.headers()) {
      if (header.key().equals(name)) {
        return text(header.value());
      }
    }
    return "";
  }

  static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }
}
