package dev.rowlog.engine.commit;

import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.log.HeldSegments;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicId;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.opening.OpeningBound;
import dev.rowlog.engine.segment.BatchScanner;
import dev.rowlog.engine.segment.Segment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What an opening reads before it opens any governed log: the last commit, and from it up to where each log must be whole (D6).
 *
 * <p>Of the second way to make a commit durable (small batches carried inside the commit log) there is nothing yet; it would be replayed
 * here, between {@link #read} and {@link #bound}.
 */
public final class CommitRecovery {
  private static final int READ_BYTES = 256 * 1024;
  private static final int FIRST_READ_BYTES = 4 * 1024;

  private CommitRecovery() {}

  /** Reads the commits into {@code state}; the log is open, its torn tail cut, and nobody else has it yet. */
  public static void read(PartitionLog commitLog, CommitState state) {
    try (HeldSegments held = HeldSegments.of(commitLog)) {
      List<Segment> segments = held.segments().all();
      int first = firstToRead(segments.stream().map(Segment::logFile).toList());
      segments.subList(first, segments.size()).forEach(segment -> read(segment, state));
    }
  }

  private static void read(Segment segment, CommitState state) {
    BatchScanner batches = new BatchScanner(segment.logFile(), 0, segment.sizeBytes(), READ_BYTES);
    while (batches.next()) {
      batches.batch().ensureValid(segment.logPath(), batches.position());
      state.apply(batches.batch(), segment.logPath());
    }
  }

  /**
   * Index of the segment from which on the commits say everything: the last one with a batch, where that begins with a complete commit.
   *
   * @param files the commit log's {@code .log} files, ascending
   */
  public static int firstToRead(List<DiskFile> files) {
    for (int i = files.size() - 1; i > 0; i--) {
      Optional<Boolean> isComplete = beginsComplete(files.get(i));
      if (isComplete.isPresent()) {
        return isComplete.get() ? i : 0;
      }
    }
    return 0;
  }

  /** Empty for a file without a whole batch. */
  private static Optional<Boolean> beginsComplete(DiskFile file) {
    BatchScanner batches = new BatchScanner(file, 0, file.size(), FIRST_READ_BYTES);
    try {
      if (!batches.next()) {
        return Optional.empty();
      }
      batches.batch().ensureValid(file.path(), 0);
    } catch (CorruptLogException | UnsupportedFormatException e) {
      // Torn, or being written: whoever reads it on says so.
      return Optional.empty();
    }
    return Optional.of(CommitState.isComplete(batches.batch(), file.path()));
  }

  /**
   * Up to where a governed log must be whole, and where it is cut; a log that no commit has named is cut to its start.
   *
   * @param folder the log's
   * @param folderId what its {@code partition.metadata} says
   * @throws CorruptLogException where the commits are about another log of this name
   */
  public static OpeningBound.Committed bound(
      CommitState state, TopicPartition log, Path folder, TopicId folderId) {
    Optional<TopicId> committedId = state.topicId(log);
    if (committedId.isPresent() && !committedId.get().equals(folderId)) {
      throw new CorruptLogException(
          folder, -1,
          "its topic id (partition.metadata) is " + folderId + ", but it was committed under "
              + committedId.get()
              + ": the folder is not the one that was written here; put that one back, or make the table again");
    }
    return new OpeningBound.Committed(state.committed().end(log));
  }
}
