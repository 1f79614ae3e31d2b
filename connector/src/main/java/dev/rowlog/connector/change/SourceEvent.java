package dev.rowlog.connector.change;

import java.util.Map;

/** One event of the change stream, in the order of the write-ahead log's commits. */
public sealed interface SourceEvent {

  /** A transaction starts; none is open. */
  record Begin(long transactionId) implements SourceEvent {}

  /**
   * A row was inserted, updated or deleted.
   *
   * @param before the old row: key columns only, or all under REPLICA IDENTITY FULL; null where the stream has none (insert; update that kept its key)
   * @param after the new row; null for a delete
   * @param lsn position of the change itself; several rows may share one
   * @param order place in its transaction, from 1
   * @param commitTimestampMicros commit time of the transaction, microseconds since the epoch
   */
  record Row(
      TableId table,
      Operation operation,
      RowImage before,
      RowImage after,
      Lsn lsn,
      long transactionId,
      long order,
      long commitTimestampMicros)
      implements
        SourceEvent {}

  /**
   * A row came, in place of which this stands, whose columns or types are not those that the table had when its catalog was read: it cannot be
   * printed exactly, and rows that were there may have changed without an event.
   *
   * @param difference what differs, in words
   */
  record Altered(TableId table, String difference, Lsn lsn, long transactionId) implements SourceEvent {}

  /** A table was truncated. */
  record Truncate(TableId table, Lsn lsn, long transactionId, long order,
      long commitTimestampMicros) implements SourceEvent {}

  /**
   * A transaction was committed.
   *
   * @param endLsn end of its commit record: what decides whether it lies in a snapshot
   * @param eventCounts rows of each table that it held
   */
  record End(long transactionId, Lsn endLsn, long commitTimestampMicros,
      Map<TableId, Long> eventCounts) implements SourceEvent {}

  /**
   * A logical message (pg_logical_emit_message).
   *
   * @param transactional true where it stands between a Begin and its End
   */
  record Message(String prefix, byte[] content, Lsn lsn, boolean transactional) implements SourceEvent {}
}
