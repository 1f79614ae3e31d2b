package dev.rowlog.connector.sink;

import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.SourcePosition;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.mirror.CommittedTransaction;

/** Hears what the sink made durable. Called by the sink's thread, after the commit. */
public interface SinkListener {

  /** Records of each transaction that {@link #transactionCommitted} is to carry, at most. */
  default int recordsPerTransaction() {
    return 0;
  }

  /** What one log got by the commit; once for each log that it touched. */
  default void recordsCommitted(LogWrites writes) {}

  default void transactionCommitted(CommittedTransaction transaction) {}

  /** A logical message outside any transaction is behind us, and everything before it committed. */
  default void messageCommitted(String prefix, byte[] content, Lsn lsn) {}

  /** The newest position; after each commit. */
  default void positionCommitted(SourcePosition position) {}

  /**
   * Every key of the table has its tombstone.
   *
   * @param lsn end LSN of the transaction
   */
  default void tableTruncated(TableId table, Lsn lsn) {}

  /** From the committed transaction on, nothing more of this table is mirrored. */
  default void tableStopped(TableId table, String reason) {}
}
