package dev.rowlog.engine.replay.view;

import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.segment.index.AbortedTransaction;
import java.util.List;

/**
 * The transactions that were aborted in a log that Kafka wrote, from its {@code .txnindex} files. Immutable.
 *
 * <p>A producer has one transaction at a time, so that its batches between the first offset and the marker are all of that transaction.
 */
public record AbortedTransactions(List<AbortedTransaction> transactions) {
  public AbortedTransactions {
    transactions = List.copyOf(transactions);
  }

  /** True where the batch's records were never committed. */
  public boolean contains(RecordBatch batch) {
    if (transactions.isEmpty() || !batch.attributes().isTransactional()) {
      return false;
    }
    for (AbortedTransaction aborted : transactions) {
      if (aborted.producerId() == batch.producerId() && aborted.firstOffset() <= batch.baseOffset()
          && batch.lastOffset() <= aborted.lastOffset()) {
        return true;
      }
    }
    return false;
  }
}
