package dev.rowlog.connector.table;

import dev.rowlog.connector.change.TableId;
import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.replay.LogCursor;
import java.util.Map;
import java.util.TreeMap;

/** The internal compacted log {@code __rowlog_schemas}: every version of every mirrored table. */
public final class SchemaLog {
  public static final String TOPIC = "__rowlog_schemas";
  public static final TopicPartition LOG = TopicPartition.of(TOPIC);

  private SchemaLog() {}

  /** The newest committed version of each table. */
  public static Map<TableId, SchemaVersion> newest(LogEngine engine) {
    if (engine.log(LOG).isEmpty()) {
      return new TreeMap<>();
    }
    try (LogCursor cursor = engine.cursor(LOG, 0)) {
      return newest(cursor);
    }
  }

  /** The same from a cursor over the log, read to its end. */
  public static Map<TableId, SchemaVersion> newest(LogCursor cursor) {
    Map<TableId, SchemaVersion> newest = new TreeMap<>();
    while (cursor.next()) {
      if (cursor.current().valueLength() >= 0) {
        SchemaVersion version = SchemaVersion.parse(cursor.record());
        newest.merge(version.table(), version, (known, next) -> next.version() >= known.version() ? next : known);
      }
    }
    return newest;
  }
}
