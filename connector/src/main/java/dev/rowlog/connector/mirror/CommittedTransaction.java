package dev.rowlog.connector.mirror;

import dev.rowlog.connector.change.Lsn;
import java.util.List;

/**
 * A source transaction that is durable in the logs.
 *
 * @param commitTimestampMicros microseconds since the epoch
 * @param recordCount records that it became
 * @param records the first of them, as many as the listener asked for
 */
public record CommittedTransaction(
    long transactionId, Lsn endLsn, long commitTimestampMicros, long recordCount, List<CommittedRecord> records) {
  public CommittedTransaction {
    records = List.copyOf(records);
  }
}
