package dev.rowlog.engine.replay;

import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.record.Record;
import dev.rowlog.engine.record.RecordBatchDecoder;

/**
 * Reads a log's records in offset order, ending at the commit that it has seen. One thread.
 *
 * <p>A removed offset gives the next record that exists. Survives a concurrent cleaning: it never sees a record twice, nor misses one that a
 * reader of the cleaned log would see. Control records and records of aborted transactions are skipped.
 */
public interface LogCursor extends AutoCloseable {

  /**
   * A cursor over an open log, up to its high watermark (of a log that Kafka wrote: before its first open transaction).
   *
   * @param offset where to begin; below the log start: there
   * @throws dev.rowlog.engine.error.OffsetOutOfRangeException beyond the end that may be read
   */
  static LogCursor open(PartitionLog log, long offset) {
    return SegmentCursor.open(new LiveLogViews(log), offset);
  }

  /**
   * Moves to the next record below {@link #endOffset}; false at the end.
   *
   * @throws dev.rowlog.engine.error.CorruptLogException where a batch's CRC does not hold, or its records do not decode
   */
  boolean next();

  /** The current record as an object. */
  Record record();

  /** The current record in place, without an object: fields are valid until {@link #next}. */
  RecordBatchDecoder current();

  /** Offset of the next record to be read, or a lower one in a gap. */
  long position();

  /** Exclusive end: the high watermark that the cursor saw last. */
  long endOffset();

  /** Takes a newer commit into sight; true where there is more to read. */
  boolean refresh();

  @Override
  void close();
}
