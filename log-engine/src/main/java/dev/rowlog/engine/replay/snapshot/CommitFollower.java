package dev.rowlog.engine.replay.snapshot;

import dev.rowlog.engine.commit.CommitRecovery;
import dev.rowlog.engine.commit.CommitState;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.segment.BatchScanner;
import java.util.List;

/**
 * Reads the commit log of a directory from where it stopped before. One thread at a time.
 *
 * <p>A commit that it has read is durable when {@link #read} returns: the writer may not have synced its batch yet, so the reader does
 * (which changes nothing but that).
 */
final class CommitFollower {
  private static final int READ_BYTES = 256 * 1024;

  private final CommitState state = new CommitState();

  /** The last file when it was read, and the byte position behind its last whole batch. */
  private long tailBaseOffset = -1;

  private Object tailKey;
  private long tailPosition;

  /**
   * @param files the commit log's, ascending
   * @return what all commits so far say; a live object, for this caller to read at once
   */
  CommitState read(List<HeldFile> files) {
    int first = state.nextOffset() > 0 ? 0 : CommitRecovery.firstToRead(files.stream().map(HeldFile::file).toList());
    for (int i = first; i < files.size(); i++) {
      boolean isLast = i == files.size() - 1;
      // Another file may stand at the old name after a cleaning: it is read from its start, known commits being skipped.
      if (isLast || files.get(i + 1).baseOffset() > state.nextOffset()) {
        read(files.get(i), isLast);
      }
    }
    return state;
  }

  private void read(HeldFile segment, boolean isLast) {
    long known = state.nextOffset();
    // Only the last file is never rewritten; the identity of another may be one that a file now gone had.
    boolean isSame = isLast && segment.baseOffset() == tailBaseOffset && segment.fileKey().equals(tailKey);
    long from = isSame ? tailPosition : 0;
    long end = segment.file().size();
    tailBaseOffset = segment.baseOffset();
    tailKey = segment.fileKey();
    tailPosition = Math.min(from, end);
    BatchScanner batches = new BatchScanner(segment.file(), tailPosition, end, READ_BYTES);
    while (nextWhole(batches, segment, isLast)) {
      state.apply(batches.batch(), segment.file().path());
      tailPosition = batches.nextPosition();
    }
    if (state.nextOffset() > known) {
      segment.file().sync();
    }
  }

  /** At the end of the last file a commit may be half written; anywhere else bad bytes are damage. */
  private static boolean nextWhole(BatchScanner batches, HeldFile segment, boolean isLast) {
    try {
      if (!batches.next()) {
        return false;
      }
      batches.batch().ensureValid(segment.file().path(), batches.position());
      return true;
    } catch (CorruptLogException | UnsupportedFormatException e) {
      if (isLast) {
        return false;
      }
      throw e;
    }
  }
}
