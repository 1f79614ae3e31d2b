package dev.rowlog.connector.sink;

import dev.rowlog.engine.record.Record;

/** Counts what goes into one log until its commit, and can be taken back to a mark. One thread. */
final class WriteTally {
  private long rows;
  private long tombstones;
  private long bytes;
  private long toastFills;
  private long markedRows;
  private long markedTombstones;
  private long markedBytes;

  void add(Record record) {
    if (record.isTombstone()) {
      tombstones++;
    } else {
      rows++;
      bytes += record.value().length;
    }
    bytes += record.key() == null ? 0 : record.key().length;
  }

  void countToastFill() {
    toastFills++;
  }

  void mark() {
    markedRows = rows;
    markedTombstones = tombstones;
    markedBytes = bytes;
  }

  /** Forgets the records since the mark. */
  void takeBack() {
    rows = markedRows;
    tombstones = markedTombstones;
    bytes = markedBytes;
  }

  void clear() {
    rows = 0;
    tombstones = 0;
    bytes = 0;
    toastFills = 0;
    mark();
  }

  /** The counts; they begin again at zero. */
  LogWrites take(String topic) {
    LogWrites taken = new LogWrites(topic, rows, tombstones, bytes, toastFills);
    clear();
    return taken;
  }
}
