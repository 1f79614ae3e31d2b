package dev.rowlog.engine;

import dev.rowlog.engine.cleaner.LogCleaner;
import dev.rowlog.engine.commit.CommitLog;
import dev.rowlog.engine.commit.CommittedEnds;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.error.InvalidConfigException;
import dev.rowlog.engine.error.UnknownTopicException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.log.HighWatermark;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.log.directory.LogDirectory;
import dev.rowlog.engine.replay.LogCursor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * An open data directory: its logs, their commit log and their cleaner. Holds the directory's lock.
 *
 * <p>Appends and commits: one writer thread. Everything else: any thread. No thread of its own runs until {@code cleaner().start()}, but for
 * those that sync.
 */
public final class LogEngine implements AutoCloseable {

  /** The internal compacted log of commits. */
  public static final String COMMITS_TOPIC = CommitLog.TOPIC;

  private final LogDirectory directory;
  private final Optional<CommitLog> commits;
  private final Map<TopicPartition, RuntimeException> failedLogs;
  private final LogCleaner cleaner;
  private boolean isClosed;

  LogEngine(
      LogDirectory directory, Optional<CommitLog> commits, Map<TopicPartition, RuntimeException> failedLogs,
      LogCleaner cleaner) {
    this.directory = directory;
    this.commits = commits;
    this.failedLogs = Map.copyOf(failedLogs);
    this.cleaner = cleaner;
  }

  /**
   * Opens the directory: reads the last commit, recovers each log, cuts every governed one to its committed end.
   *
   * @param nanoClock elapsed time
   * @throws dev.rowlog.engine.error.DirectoryInUseException where another process holds it
   * @throws UnsupportedFormatException for a newer format version, and for a mirror over a directory with logs but without commits
   * @throws dev.rowlog.engine.error.CorruptLogException where the commit log is damaged
   */
  public static LogEngine open(
      EngineOptions options, Disk disk, InstantSource clock, LongSupplier nanoClock, RandomGenerator random) {
    return EngineOpening.open(options, CommitLog.RETENTION, log -> true, disk, clock, nanoClock, random);
  }

  /**
   * As {@link #open}, but only these logs beside the commit log: nothing of the others is read, recovered or cut.
   */
  public static LogEngine openOnly(
      Collection<TopicPartition> logs, EngineOptions options, Disk disk, InstantSource clock, LongSupplier nanoClock,
      RandomGenerator random) {
    return EngineOpening.open(options, CommitLog.RETENTION, Set.copyOf(logs)::contains, disk, clock, nanoClock, random);
  }

  /** Every log that is there, the internal ones and those that were not opened too, sorted. */
  public List<TopicPartition> partitions() {
    return directory.partitions();
  }

  public Optional<PartitionLog> log(TopicPartition partition) {
    return directory.log(partition);
  }

  /** Logs that could not be opened (corruption below the committed end), with the reason; the others go on. */
  public Map<TopicPartition, RuntimeException> failedLogs() {
    return failedLogs;
  }

  /**
   * The log of that name, durably created with this configuration where it is missing, else set to it.
   *
   * @throws InvalidConfigException for a governed log with another policy than {@code compact}: deleting by age would take rows that live;
   *     and for the commit log, which is the engine's own
   * @throws dev.rowlog.engine.error.LogException the reason why the log could not be opened, where it is one of {@link #failedLogs}
   */
  public synchronized PartitionLog createIfMissing(TopicPartition partition, LogConfig config) {
    if (failedLogs.containsKey(partition)) {
      throw failedLogs.get(partition);
    }
    if (partition.topic().equals(CommitLog.TOPIC)) {
      throw new InvalidConfigException(
          CommitLog.TOPIC,
          "it is the engine's own log: it is made and configured by opening the directory as a mirror");
    }
    boolean isGoverned = commits.isPresent() && CommitLog.governs(partition);
    if (isGoverned && config.cleanupPolicy().deletes()) {
      throw new InvalidConfigException(
          "cleanup.policy",
          "a mirrored log is compact only, found it with delete for " + partition + ": rows that still live would go");
    }
    Optional<PartitionLog> existing = directory.log(partition);
    if (existing.isEmpty()) {
      HighWatermark highWatermark = isGoverned
          ? commits.get().highWatermark(partition)
          : HighWatermark.followingLogEnd();
      return directory.create(partition, config, highWatermark);
    }
    if (!existing.get().config().equals(config)) {
      directory.storeConfig(partition, config);
    }
    return existing.get();
  }

  /** What the last commit published; without a commit log nothing is committed and no log has an end here. */
  public CommittedEnds committed() {
    return commits.map(CommitLog::committed).orElse(new CommittedEnds(-1, Map.of(), null));
  }

  /**
   * Makes records and position durable and visible together: syncs the touched logs in parallel, appends and syncs one commit batch,
   * publishes the ends in a single write.
   *
   * @param ends exclusive end offset of each touched log at the commit's boundary; may lie below the log's end
   * @param position the writer's own bytes, given back by {@link CommittedEnds#position}
   * @return what was published
   * @throws dev.rowlog.engine.error.InvalidRecordException for an end that is no boundary of a batch, or outside what is appended and not
   *     yet committed: nothing was done
   * @throws dev.rowlog.engine.error.LogException where a sync failed: nothing was published; no further commit is taken until the
   *     directory is opened again
   */
  public CommittedEnds commit(Map<TopicPartition, Long> ends, byte[] position) {
    Map<PartitionLog, Long> touched = new HashMap<>();
    ends.forEach((partition, end) -> touched.put(require(partition), end));
    return requireCommits().commit(touched, position);
  }

  /** Cuts every governed log to its committed end: what an unfinished transaction left is gone. */
  public void truncateToCommitted() {
    CommittedEnds committed = requireCommits().committed();
    for (PartitionLog log : directory.logs()) {
      long end = committed.end(log.topicPartition());
      if (CommitLog.governs(log.topicPartition()) && log.logEndOffset() > end) {
        log.truncateTo(end);
      }
    }
  }

  /**
   * Waits until a published commit fulfils the condition; empty after the timeout, or when the engine is closed.
   *
   * @param condition runs on the caller's thread, under no lock
   */
  public Optional<CommittedEnds> awaitCommitted(Predicate<CommittedEnds> condition, Duration timeout)
      throws InterruptedException {
    return requireCommits().await(condition, timeout);
  }

  /**
   * A cursor from {@code offset} on; below the log start it begins there.
   *
   * @throws UnknownTopicException where there is no such log
   * @throws dev.rowlog.engine.error.OffsetOutOfRangeException beyond the high watermark
   */
  public LogCursor cursor(TopicPartition partition, long offset) {
    return LogCursor.open(require(partition), offset);
  }

  public LogCleaner cleaner() {
    return cleaner;
  }

  /** Writes the checkpoints, so that an opening after a kill reads no more than what came since. */
  public void checkpoint() {
    directory.writeCheckpoints();
  }

  private PartitionLog require(TopicPartition partition) {
    if (failedLogs.containsKey(partition)) {
      throw failedLogs.get(partition);
    }
    return directory.log(partition)
        .orElseThrow(() -> new UnknownTopicException("no log " + partition + " in " + directory.root()));
  }

  private CommitLog requireCommits() {
    return commits.orElseThrow(
        () -> new UnsupportedFormatException(
            directory.root() + " has no commit log: it was opened without one, its logs end where their records end"));
  }

  /** Stops the cleaner, closes every log cleanly, gives the lock back. After a failed sync the next opening recovers. */
  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    try {
      cleaner.close();
    } finally {
      try {
        commits.ifPresent(CommitLog::close);
      } finally {
        directory.close();
      }
    }
  }
}
