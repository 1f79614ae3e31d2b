package dev.rowlog.engine.replay;

import dev.rowlog.engine.commit.CommitLog;
import dev.rowlog.engine.commit.CommitWalk;
import dev.rowlog.engine.error.OffsetOutOfRangeException;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.record.Record;
import java.util.Map;
import java.util.Optional;

/**
 * The commits of a directory after a known one, one by one, as far as they are kept whole and the reader sees them. One thread.
 */
public final class CommitHistory implements AutoCloseable {
  private final Optional<LogCursor> cursor;
  private final CommitWalk walk;

  /** The record that begins the next commit; null where none is known yet. */
  private Record ahead;

  private boolean isOver;

  private CommitHistory(Optional<LogCursor> cursor, CommitWalk walk) {
    this.cursor = cursor;
    this.walk = walk;
  }

  /**
   * @param commitOffset of the known commit
   * @param ends what it had committed
   */
  public static CommitHistory after(DirectoryReader reader, long commitOffset, Map<TopicPartition, Long> ends) {
    CommitWalk walk = new CommitWalk(commitOffset, ends, reader.root());
    CommitHistory history = new CommitHistory(open(reader, commitOffset), walk);
    // The known commit itself: it must still be there, and whole.
    history.isOver = history.cursor.isEmpty() || !history.next();
    return history;
  }

  private static Optional<LogCursor> open(DirectoryReader reader, long commitOffset) {
    if (commitOffset < 0 || !reader.partitions().contains(CommitLog.PARTITION)) {
      return Optional.empty();
    }
    try {
      return Optional.of(reader.cursor(CommitLog.PARTITION, commitOffset));
    } catch (OffsetOutOfRangeException e) {
      return Optional.empty();
    }
  }

  /** Moves to the next commit; false at the end, or where commits are not kept whole. */
  public boolean next() {
    if (isOver) {
      return false;
    }
    boolean isTaken = false;
    if (ahead != null) {
      walk.take(ahead);
      ahead = null;
      isTaken = true;
    }
    while (cursor.orElseThrow().next()) {
      Record record = cursor.orElseThrow().record();
      if (!walk.follows(record.offset())) {
        isOver = true;
        return false;
      }
      if (CommitWalk.beginsCommit(record)) {
        if (isTaken) {
          ahead = record;
          return true;
        }
        isTaken = true;
      } else if (!isTaken) {
        isOver = true;
        return false;
      }
      walk.take(record);
    }
    isOver = true;
    return isTaken;
  }

  /** Offset of the commit's first record. */
  public long commitOffset() {
    return walk.commitOffset();
  }

  /** Exclusive end of each log at the commit; a view that {@link #next} changes. */
  public Map<TopicPartition, Long> ends() {
    return walk.ends();
  }

  @Override
  public void close() {
    cursor.ifPresent(LogCursor::close);
  }
}
