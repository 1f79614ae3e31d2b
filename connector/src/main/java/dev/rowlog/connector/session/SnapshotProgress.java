package dev.rowlog.connector.session;

import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.mirror.MirrorListener;
import dev.rowlog.connector.table.FirstSnapshot;

/**
 * Tells board and listener how far a first snapshot is.
 */
record SnapshotProgress(String slot, StatusBoard board, MirrorListener listener) implements FirstSnapshot.Progress {

  @Override
  public void slotWaiting(String reason) {
    board.failed(reason);
    listener.slotWaiting(slot, reason);
  }

  @Override
  public void slotCreated(Lsn consistentPoint) {
    listener.slotCreated(slot, consistentPoint);
  }

  @Override
  public void rows(TableId table, long rows, long expected) {
    board.snapshotRows(table, rows, expected);
    listener.snapshotProgress(table, rows, expected);
  }
}
