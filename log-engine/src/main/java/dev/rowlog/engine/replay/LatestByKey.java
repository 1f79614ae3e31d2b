package dev.rowlog.engine.replay;

import dev.rowlog.engine.record.Record;
import java.util.Collection;

/**
 * The newest record of each key of a cursor: the table that a replay ends with. One thread.
 *
 * <p>Holds a record a key on the heap; memory grows with the table.
 */
public final class LatestByKey {
  private LatestByKey() {}

  /** Reads the cursor to its end; a tombstone removes its key. Records in the order of their offsets. */
  public static Collection<Record> of(LogCursor cursor) {
    throw new UnsupportedOperationException("skeleton");
  }
}
