package dev.rowlog.connector.table;

import dev.rowlog.connector.catalog.Relation;
import dev.rowlog.connector.catalog.TableSchema;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.engine.log.PartitionLog;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A table while its first snapshot is made: rows read so far, and why it has to be left out, if so. Any thread.
 */
final class SnapshotTable {
  private final Relation relation;
  private final PartitionLog log;
  private final AtomicLong rows = new AtomicLong();
  private final AtomicReference<String> failure = new AtomicReference<>();

  SnapshotTable(Relation relation, PartitionLog log) {
    this.relation = relation;
    this.log = log;
  }

  TableId id() {
    return relation.id();
  }

  Relation relation() {
    return relation;
  }

  TableSchema schema() {
    return relation.schema();
  }

  PartitionLog log() {
    return log;
  }

  /** Returns the rows that are now read. */
  long add(long more) {
    return rows.addAndGet(more);
  }

  long rows() {
    return rows.get();
  }

  void fail(String reason) {
    failure.compareAndSet(null, reason);
  }

  /** Null where it goes on. */
  String failure() {
    return failure.get();
  }
}
