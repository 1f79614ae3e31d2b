package dev.rowlog.connector.session;

import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.SourcePosition;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.mirror.CommittedTransaction;
import dev.rowlog.connector.mirror.MirrorListener;
import dev.rowlog.connector.mirror.SourceRefusedException;
import dev.rowlog.connector.sink.LogWrites;
import dev.rowlog.connector.sink.SinkListener;
import dev.rowlog.connector.watch.Heartbeats;
import dev.rowlog.connector.watch.SchemaWatch;

/** Carries what the sink committed to board, listener and heartbeats. */
record CommitEvents(StatusBoard board, MirrorListener listener, Heartbeats heartbeats, SchemaWatch watch)
    implements
      SinkListener {

  @Override
  public int recordsPerTransaction() {
    return listener.recordsPerTransaction();
  }

  @Override
  public void positionCommitted(SourcePosition position) {
    board.position(position);
    watch.committed(position.lsn());
  }

  @Override
  public void transactionCommitted(CommittedTransaction transaction) {
    board.committed(transaction);
    listener.committed(transaction);
  }

  @Override
  public void recordsCommitted(LogWrites writes) {
    board.committed(writes);
  }

  @Override
  public void messageCommitted(String prefix, byte[] content, Lsn lsn) {
    heartbeats.sentNanos(prefix, content).ifPresent(board::heartbeatReturned);
  }

  @Override
  public void tableTruncated(TableId table, Lsn lsn) {
    watch.truncated(table, lsn);
  }

  /** The last table's stop ends the stream: nothing is left to mirror. */
  @Override
  public void tableStopped(TableId table, String reason) {
    board.stopped(table, reason);
    listener.tableStopped(table, reason);
    if (board.nothingLeft()) {
      throw new SourceRefusedException("no table is left to mirror; the last one stopped: " + reason);
    }
  }
}
