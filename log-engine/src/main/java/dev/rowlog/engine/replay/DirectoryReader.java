package dev.rowlog.engine.replay;

import dev.rowlog.engine.commit.CommitLog;
import dev.rowlog.engine.commit.CommittedEnds;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.DiskFailureException;
import dev.rowlog.engine.error.LogClosedException;
import dev.rowlog.engine.error.UnknownTopicException;
import dev.rowlog.engine.log.TopicId;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.log.directory.FormatVersion;
import dev.rowlog.engine.log.directory.OffsetCheckpoint;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.replay.snapshot.DirectorySnapshot;
import dev.rowlog.engine.replay.snapshot.LogFiles;
import dev.rowlog.engine.replay.snapshot.SnapshotReader;
import dev.rowlog.engine.replay.view.LogView;
import dev.rowlog.engine.replay.view.LogViews;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a data directory without its lock and without changing anything, also beside the process that writes it (D6). Any thread.
 *
 * <p>All logs are seen as they stood at one commit, when the reader was opened. Needs no index file. A folder that Kafka wrote has no commit
 * log: its logs end at their last valid batch; a torn tail is not an error. A log created later is seen by a reader opened later.
 */
public final class DirectoryReader implements AutoCloseable {
  private final Disk disk;
  private final Path root;
  private final SnapshotReader snapshots;
  private final DirectorySnapshot snapshot;

  /** What the commit log looked like before the snapshot was taken. */
  private final Object commitMark;

  private volatile boolean isClosed;

  private DirectoryReader(
      Disk disk, Path root, SnapshotReader snapshots, DirectorySnapshot snapshot, Object commitMark) {
    this.disk = disk;
    this.root = root;
    this.snapshots = snapshots;
    this.snapshot = snapshot;
    this.commitMark = commitMark;
  }

  /**
   * @throws UnknownTopicException where the folder is missing
   * @throws dev.rowlog.engine.error.UnsupportedFormatException for a newer format version
   * @throws dev.rowlog.engine.error.CorruptLogException where a commit is damaged
   */
  public static DirectoryReader open(Disk disk, Path root) {
    if (!disk.isDirectory(root)) {
      throw new UnknownTopicException(root + " is not a folder: no log can be read there");
    }
    FormatVersion.ensureReadable(disk, root);
    return take(disk, root, new SnapshotReader(disk, root));
  }

  private static DirectoryReader take(Disk disk, Path root, SnapshotReader snapshots) {
    // Before the snapshot: a commit in between makes the reader stale at once.
    Object mark = snapshots.commitMark();
    return new DirectoryReader(disk, root, snapshots, snapshots.takeAll(), mark);
  }

  /**
   * The directory as it stands now; reads only the commits that came since, and starts its cursors where others left off
   * in the same files. Both readers are closed apart.
   */
  public DirectoryReader reopened() {
    return take(disk, root, snapshots);
  }

  /** True where there may be a commit that this reader does not see. */
  public boolean isStale() {
    return !snapshots.commitMark().equals(commitMark);
  }

  public Path root() {
    return root;
  }

  /** The disk it reads from. */
  public Disk disk() {
    return disk;
  }

  /** The logs that are there, sorted. */
  public List<TopicPartition> partitions() {
    return new ArrayList<>(snapshot.logs().keySet());
  }

  /** Empty for a folder without a commit log. */
  public Optional<CommittedEnds> committed() {
    return snapshot.committed();
  }

  /**
   * The configuration that the log was created with, where it was kept.
   *
   * @throws UnknownTopicException where there is no such log
   */
  public Optional<LogConfig> storedConfig(TopicPartition log) {
    files(log);
    return snapshots.folder(log).config();
  }

  /**
   * What tells the log from another one that had or gets its name.
   *
   * @throws UnknownTopicException where there is no such log
   */
  public TopicId topicId(TopicPartition log) {
    files(log);
    return snapshots.folder(log).topicId();
  }

  /** One of the checkpoint files, empty where it is missing. */
  public Map<TopicPartition, Long> checkpoint(String fileName) {
    return new OffsetCheckpoint(disk, root, fileName).read();
  }

  /** First readable offset. */
  public long logStartOffset(TopicPartition log) {
    return snapshot.logStartOffset(files(log));
  }

  /** Exclusive end of what may be read, when this reader was opened. */
  public long endOffset(TopicPartition log) {
    return snapshot.endOffset(files(log));
  }

  /** The log's {@code .log} files when this reader was opened, ascending; good until it is closed. */
  public List<SegmentFile> segments(TopicPartition log) {
    return files(log).segments().stream().map(held -> new SegmentFile(held.baseOffset(), held.file(), held.fileKey()))
        .toList();
  }

  /** True for records of transactions that Kafka's producers aborted: no reader gets them. */
  public boolean isAborted(TopicPartition log, RecordBatch batch) {
    return files(log).abortedTransactions().contains(batch);
  }

  /**
   * A cursor from {@code offset} on; below the log start it begins there. Closed apart from this reader.
   *
   * @throws UnknownTopicException where there is no such log
   * @throws dev.rowlog.engine.error.OffsetOutOfRangeException beyond the end that may be read
   * @throws CorruptLogException where the first files of a log that keeps them are gone
   */
  public LogCursor cursor(TopicPartition log, long offset) {
    ensureStart(files(log));
    return SegmentCursor.open(new Views(log), offset);
  }

  /** No retention takes the first segment of a governed log that is only compacted. */
  private void ensureStart(LogFiles files) {
    boolean keepsItsStart = snapshot.committed().isPresent() && CommitLog.governs(files.log())
        && snapshots.folder(files.log()).config().filter(config -> !config.cleanupPolicy().deletes()).isPresent();
    long start = checkpoint(OffsetCheckpoint.LOG_START).getOrDefault(files.log(), 0L);
    long committed = snapshot.committed().map(ends -> ends.end(files.log())).orElse(0L);
    if (files.segments().isEmpty() && committed > start) {
      throw new CorruptLogException(root.resolve(files.log().toString()), 0,
          "the log is committed to offset " + committed
              + ", but its files are missing; restore them or rebuild the log from its source");
    }
    if (keepsItsStart && !files.segments().isEmpty() && files.segments().get(0).baseOffset() > start) {
      throw new CorruptLogException(
          files.segments().get(0).file().path(),
          0,
          "the log starts at offset " + start + ", but its first file begins at "
              + files.segments().get(0).baseOffset()
              + ": those before it are missing; restore them or rebuild the log from its source");
    }
  }

  private LogFiles files(TopicPartition log) {
    if (isClosed) {
      throw new LogClosedException("the reader of " + root + " is closed", null);
    }
    LogFiles files = snapshot.logs().get(log);
    if (files == null) {
      throw new UnknownTopicException("no log " + log + " in " + root);
    }
    return files;
  }

  @Override
  public synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      snapshot.release();
    }
  }

  /** The snapshot for a start, later ones of one log when it has grown. One thread. */
  private final class Views implements LogViews {
    private final TopicPartition log;
    private Object tailMark;

    private Views(TopicPartition log) {
      this.log = log;
    }

    @Override
    public String name() {
      return log.toString();
    }

    @Override
    public LogView hold(long fromOffset) {
      return snapshot.view(files(log), fromOffset);
    }

    @Override
    public Optional<LogView> holdIfNewer(long seenEndOffset, long fromOffset) {
      Object mark = mark();
      if (mark.equals(tailMark)) {
        return Optional.empty();
      }
      DirectorySnapshot newer = snapshots.take(log);
      try {
        LogFiles files = newer.logs().get(log);
        if (files == null) {
          throw new UnknownTopicException(log + " has been removed from " + root);
        }
        tailMark = mark;
        return newer.endOffset(files) > seenEndOffset ? Optional.of(newer.view(files, fromOffset)) : Optional.empty();
      } finally {
        newer.release();
      }
    }

    /** Read before the snapshot: a change in between is found by the next comparison. */
    private Object mark() {
      try {
        return snapshots.tailMark(log);
      } catch (DiskFailureException e) {
        // A file went while it was looked at: something has changed.
        return new Object();
      }
    }
  }
}
