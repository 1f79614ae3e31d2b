package dev.rowlog.connector.sink;

import dev.rowlog.connector.mirror.CommittedRecord;
import dev.rowlog.engine.error.RecordTooLargeException;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.record.Record;
import dev.rowlog.engine.record.RecordBatchEncoder;

/**
 * Records on their way into one log: a batch that is being filled, and the offset to which an open transaction can be
 * taken back. One thread.
 */
final class TableWriter {
  /** Size at which a batch is appended before its commit. */
  private static final int BATCH_BYTES = 128 << 10;

  private final PartitionLog log;
  private final RecordBatchEncoder batch;
  private final LastRows lastRows = new LastRows(this);
  private final WriteTally tally = new WriteTally();
  private long boundary;

  /**
   * @param maxBatchBytes as of {@link RecordBatchEncoder}
   */
  TableWriter(PartitionLog log, int maxBatchBytes) {
    this.log = log;
    this.batch = new RecordBatchEncoder(log.config().compression(), maxBatchBytes);
    this.batch.begin();
    this.boundary = log.logEndOffset();
  }

  PartitionLog log() {
    return log;
  }

  /** Of what was added and appended. */
  LastRows lastRows() {
    return lastRows;
  }

  WriteTally tally() {
    return tally;
  }

  /** Offset that the next record gets. */
  long nextOffset() {
    return log.logEndOffset() + batch.recordCount();
  }

  /**
   * @throws RecordTooLargeException where no batch can hold it; {@link #takeBack} is due then
   */
  void add(Record record) {
    lastRows.added(record, nextOffset());
    try {
      addToBatch(record);
    } catch (RecordTooLargeException e) {
      if (batch.recordCount() == 0) {
        throw e;
      }
      // It may have room in a batch of its own.
      flush();
      addToBatch(record);
    }
    tally.add(record);
    if (batch.sizeBytes() >= BATCH_BYTES) {
      flush();
    }
  }

  private void addToBatch(Record record) {
    batch.add(record.timestamp(), record.key(), record.value(), record.headers());
  }

  /** Appends what the batch holds: so no batch crosses the boundary that follows. */
  void flush() {
    if (batch.recordCount() > 0) {
      log.append(batch);
      batch.begin();
    }
  }

  /** Flushes, and remembers the end as where {@link #takeBack} goes to. */
  void markBoundary() {
    flush();
    tally.mark();
    boundary = log.logEndOffset();
  }

  /** Drops every record since the last boundary. */
  void takeBack() {
    lastRows.cut();
    tally.takeBack();
    batch.begin();
    if (log.logEndOffset() > boundary) {
      log.truncateTo(boundary);
    }
  }

  /** Drops what was not committed, after the engine cut the log. */
  void reset() {
    lastRows.cut();
    tally.clear();
    batch.begin();
    boundary = log.logEndOffset();
  }

  /** Offset and place of a record that {@link #add} is about to take. */
  CommittedRecord placed(dev.rowlog.connector.change.TableId table, Record record) {
    return new CommittedRecord(
        table,
        log.topicPartition().topic(),
        new Record(nextOffset(), record.timestamp(), record.key(), record.value(), record.headers()));
  }
}
