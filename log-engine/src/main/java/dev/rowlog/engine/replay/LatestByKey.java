package dev.rowlog.engine.replay;

import dev.rowlog.engine.record.Record;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The newest record of each key of a cursor: the table that a replay ends with. One thread.
 *
 * <p>Holds a record a key on the heap; memory grows with the table.
 */
public final class LatestByKey {
  private LatestByKey() {}

  /** Reads the cursor to its end; a tombstone removes its key, a record without a key is skipped. In the order of offsets. */
  public static Collection<Record> of(LogCursor cursor) {
    Map<ByteBuffer, Record> latest = new LinkedHashMap<>();
    while (cursor.next()) {
      Record newest = cursor.record();
      if (newest.key() != null) {
        ByteBuffer key = ByteBuffer.wrap(newest.key());
        // Removed first: a key takes its place in the order anew.
        latest.remove(key);
        if (!newest.isTombstone()) {
          latest.put(key, newest);
        }
      }
    }
    return latest.values();
  }
}
