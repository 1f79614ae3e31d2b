package dev.rowlog.engine.replay.snapshot;

import dev.rowlog.engine.commit.CommitLog;
import dev.rowlog.engine.commit.CommitState;
import dev.rowlog.engine.commit.CommittedEnds;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.error.DiskFailureException;
import dev.rowlog.engine.log.PartitionFolder;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.directory.OffsetCheckpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes snapshots of a directory that another process may be writing and cleaning (D6). One at a time, guarded by this.
 *
 * <p>List, open every file, read the commits, list again; start over unless both listings are equal. The commits are read between
 * the listings because both neighbours matter: a commit read before the files were opened could be older than a cleaning that has already
 * removed records in favour of later commits; one read after the second listing could lie in a segment that was not opened.
 */
public final class SnapshotReader {
  /** A replacement takes milliseconds: one that is still there after so many attempts was left by a killed process. */
  private static final int ATTEMPTS_UNTIL_REPLACEMENT_IS_OLD = 20;

  private static final int MAX_ATTEMPTS = 5_000;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final Disk disk;
  private final Path root;
  private final CommitFollower commits = new CommitFollower();
  private final ReadPositions readPositions = new ReadPositions();

  public SnapshotReader(Disk disk, Path root) {
    this.disk = disk;
    this.root = root;
  }

  /** The logs whose folders are there, sorted. */
  public List<TopicPartition> partitions() {
    TreeSet<TopicPartition> found = new TreeSet<>();
    for (String name : disk.list(root)) {
      TopicPartition.parseDirectoryName(name).filter(log -> folder(log).isLog()).ifPresent(found::add);
    }
    return new ArrayList<>(found);
  }

  public PartitionFolder folder(TopicPartition log) {
    return new PartitionFolder(disk, root.resolve(log.directoryName()), log);
  }

  /** A snapshot of every log. */
  public synchronized DirectorySnapshot takeAll() {
    return take(Optional.empty());
  }

  /** A snapshot of one log, and of the commit log. */
  public synchronized DirectorySnapshot take(TopicPartition log) {
    return take(Optional.of(log));
  }

  private DirectorySnapshot take(Optional<TopicPartition> only) {
    DiskFailureException gone = null;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      try {
        Optional<DirectorySnapshot> snapshot = attempt(only, attempt >= ATTEMPTS_UNTIL_REPLACEMENT_IS_OLD);
        if (snapshot.isPresent()) {
          return snapshot.get();
        }
      } catch (DiskFailureException e) {
        // A file that was listed has been replaced before it was opened; anything else fails again and again.
        gone = e;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw gone != null
        ? gone
        : new DiskFailureException("read", root,
            new IOException("its files changed during each of " + MAX_ATTEMPTS + " attempts"));
  }

  private Optional<DirectorySnapshot> attempt(Optional<TopicPartition> only, boolean isReplacementOld) {
    Map<TopicPartition, LogListing> before = list(only);
    if (!isReplacementOld && before.values().stream().anyMatch(LogListing::isBeingReplaced)) {
      return Optional.empty();
    }
    Map<TopicPartition, LogFiles> logs = new LinkedHashMap<>();
    try {
      for (LogListing listing : before.values()) {
        logs.put(listing.log(), LogFiles.open(disk, listing, readPositions));
      }
      Optional<CommitState> state = Optional.ofNullable(logs.get(CommitLog.PARTITION))
          .map(files -> commits.read(files.segments()));
      Optional<CommittedEnds> committed = state.map(CommitState::committed);
      if (isUnchanged(before, list(only))) {
        return Optional
            .of(new DirectorySnapshot(logs, committed, state.map(CommitState::nextOffset).orElse(0L), logStarts()));
      }
    } catch (RuntimeException e) {
      logs.values().forEach(LogFiles::release);
      throw e;
    }
    logs.values().forEach(LogFiles::release);
    return Optional.empty();
  }

  private Map<TopicPartition, LogListing> list(Optional<TopicPartition> only) {
    Map<TopicPartition, LogListing> listings = new LinkedHashMap<>();
    for (TopicPartition log : partitions()) {
      if (only.isEmpty() || only.get().equals(log) || log.equals(CommitLog.PARTITION)) {
        listings.put(log, LogListing.of(disk, root, log));
      }
    }
    return listings;
  }

  private static boolean isUnchanged(Map<TopicPartition, LogListing> before, Map<TopicPartition, LogListing> after) {
    return before.keySet().equals(after.keySet())
        && before.values().stream().allMatch(listing -> listing.readsSameAs(after.get(listing.log())));
  }

  private Map<TopicPartition, Long> logStarts() {
    return new OffsetCheckpoint(disk, root, OffsetCheckpoint.LOG_START).readLenient();
  }

  /** What changes when there is a new commit; a mark of its own each time where that cannot be told. */
  public Object commitMark() {
    try {
      return disk.isDirectory(root.resolve(CommitLog.PARTITION.directoryName()))
          ? tailMark(CommitLog.PARTITION)
          : new Object();
    } catch (DiskFailureException e) {
      // A file went while it was looked at: something has changed.
      return new Object();
    }
  }

  /** What changes when a log may have more to read: the newest file that decides its end, and its size. */
  public Object tailMark(TopicPartition log) {
    boolean isGoverned = disk.isDirectory(root.resolve(CommitLog.PARTITION.directoryName())) && CommitLog.governs(log);
    LogListing listing = LogListing.of(disk, root, isGoverned ? CommitLog.PARTITION : log);
    return listing.files().isEmpty()
        ? List.of()
        : List.of(listing.files(), disk.size(listing.folder().resolve(listing.files().lastKey().toString())));
  }
}
