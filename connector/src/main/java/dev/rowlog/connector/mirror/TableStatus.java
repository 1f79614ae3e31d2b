package dev.rowlog.connector.mirror;

import dev.rowlog.connector.change.TableId;
import java.util.Objects;

/**
 * One table as a status shows it.
 *
 * @param topic its log
 * @param endOffset committed end of its log, exclusive: records ever written
 * @param sizeBytes of its log's files
 * @param snapshotRows rows read by a first snapshot of this run
 * @param snapshotRowsTotal rows that the planner expects in the table; 0 where it does not know
 * @param reason why it is refused or stopped, with the cure; null else
 */
public record TableStatus(
    TableId table,
    String topic,
    TableState state,
    long endOffset,
    long sizeBytes,
    long snapshotRows,
    long snapshotRowsTotal,
    String reason) {
  public TableStatus {
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(topic, "topic");
    Objects.requireNonNull(state, "state");
  }
}
