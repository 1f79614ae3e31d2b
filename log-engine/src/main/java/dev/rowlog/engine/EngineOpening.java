package dev.rowlog.engine;

import dev.rowlog.engine.cleaner.LogCleaner;
import dev.rowlog.engine.commit.CommitLog;
import dev.rowlog.engine.commit.CommitRecovery;
import dev.rowlog.engine.commit.CommitRetention;
import dev.rowlog.engine.commit.CommitState;
import dev.rowlog.engine.commit.ParallelTasks;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.InvalidConfigException;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.log.HighWatermark;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.log.directory.LogDirectory;
import dev.rowlog.engine.log.opening.OpeningBound;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * The order in which a directory is opened: lock and format version, commit log, then all other logs, a few at a time, each bounded by the
 * last commit (D6).
 */
final class EngineOpening {
  private static final int THREADS = 3;

  private final EngineOptions options;
  private final CommitRetention retention;
  private final Predicate<TopicPartition> chosen;
  private final InstantSource clock;
  private final LogDirectory directory;
  private final Map<TopicPartition, RuntimeException> failedLogs = new ConcurrentSkipListMap<>();

  private EngineOpening(
      EngineOptions options, CommitRetention retention, Predicate<TopicPartition> chosen, InstantSource clock,
      LogDirectory directory) {
    this.options = options;
    this.retention = retention;
    this.chosen = chosen;
    this.clock = clock;
    this.directory = directory;
  }

  /**
   * @param chosen which logs beside the commit log are opened
   */
  static LogEngine open(
      EngineOptions options, CommitRetention retention, Predicate<TopicPartition> chosen, Disk disk,
      InstantSource clock, LongSupplier nanoClock, RandomGenerator random) {
    LogDirectory directory = LogDirectory.open(disk, options.directory(), clock, random);
    try {
      return new EngineOpening(options, retention, chosen, clock, directory).openLogs(nanoClock, random);
    } catch (RuntimeException e) {
      try {
        directory.close();
      } catch (RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private LogEngine openLogs(LongSupplier nanoClock, RandomGenerator random) {
    CommitState state = new CommitState();
    Optional<CommitLog> commits = openCommits(state);
    try {
      openOthers(commits, state);
      LogCleaner cleaner = new LogCleaner(
          directory, options.cleaner(), clock, nanoClock, random, retention::lagBytes);
      return new LogEngine(directory, commits, new TreeMap<>(failedLogs), cleaner);
    } catch (RuntimeException e) {
      commits.ifPresent(CommitLog::close);
      throw e;
    }
  }

  private Optional<CommitLog> openCommits(CommitState state) {
    CommitLog.Watermark watermark = new CommitLog.Watermark();
    LogConfig config = CommitLog.config(options.logDefaults(), retention);
    if (directory.partitions().contains(CommitLog.PARTITION)) {
      PartitionLog log = directory.load(CommitLog.PARTITION, config, new OpeningBound.SyncedBatches(), watermark);
      CommitRecovery.read(log, state);
      return Optional.of(CommitLog.open(log, watermark, state, clock));
    }
    if (!options.committed()) {
      return Optional.empty();
    }
    ensureEmpty();
    PartitionLog log = directory.create(CommitLog.PARTITION, config, watermark);
    return Optional.of(CommitLog.open(log, watermark, state, clock));
  }

  /** The commit log is the first that a mirror creates: without one, logs that are there would all be cut to nothing. */
  private void ensureEmpty() {
    Optional<TopicPartition> other = directory.partitions().stream().filter(CommitLog::governs).findFirst();
    if (other.isPresent()) {
      throw new UnsupportedFormatException(
          directory.root() + " holds logs (" + other.get() + ") but no commit log " + CommitLog.TOPIC
              + ": it is not a mirror's; choose an empty directory, or put the commit log's folder back");
    }
  }

  private void openOthers(Optional<CommitLog> commits, CommitState state) {
    List<TopicPartition> others = directory.partitions().stream()
        .filter(log -> !log.equals(CommitLog.PARTITION) && chosen.test(log)).toList();
    state.committed().ends().forEach((log, end) -> {
      if (end > 0 && chosen.test(log) && !others.contains(log)) {
        failedLogs.put(
            log, new CorruptLogException(folder(log), -1,
                "the folder is missing, but the log is committed to offset " + end));
      }
    });
    List<Runnable> openings = new ArrayList<>();
    others.forEach(log -> openings.add(() -> openOne(log, commits, state)));
    // Few threads: opening reads, and reads of one disk gain little from more.
    try (ParallelTasks threads = ParallelTasks.open(THREADS, "rowlog-opening")) {
      threads.run(openings);
    }
  }

  private void openOne(TopicPartition log, Optional<CommitLog> commits, CommitState state) {
    try {
      LogConfig config = directory.storedConfig(log).orElse(options.logDefaults());
      if (commits.isPresent() && CommitLog.governs(log)) {
        OpeningBound bound = CommitRecovery.bound(state, log, folder(log), directory.topicId(log));
        directory.load(log, config, bound, commits.get().highWatermark(log));
      } else {
        directory.load(log, config, new OpeningBound.LogEnd(), HighWatermark.followingLogEnd());
      }
    } catch (CorruptLogException | UnsupportedFormatException | InvalidConfigException | InvalidRecordException e) {
      // What is wrong with one log keeps no other from being opened; a disk that fails keeps all.
      failedLogs.put(log, e);
    }
  }

  private Path folder(TopicPartition log) {
    return directory.root().resolve(log.directoryName());
  }
}
