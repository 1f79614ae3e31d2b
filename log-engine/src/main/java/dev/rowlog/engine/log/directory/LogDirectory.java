package dev.rowlog.engine.log.directory;

import dev.rowlog.engine.disk.DirectoryLock;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DurableTextFile;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.LogException;
import dev.rowlog.engine.error.UnknownTopicException;
import dev.rowlog.engine.log.HighWatermark;
import dev.rowlog.engine.log.PartitionFolder;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.RecoveryReport;
import dev.rowlog.engine.log.TopicId;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.log.opening.LogOpening;
import dev.rowlog.engine.log.opening.OpeningBound;
import dev.rowlog.engine.segment.Segment;
import dev.rowlog.engine.segment.SegmentFileName.State;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;

/**
 * The folder of all logs: its lock, format version, checkpoints and partition folders. Any thread; creating one at a
 * time, loading several, each log by one thread.
 */
public final class LogDirectory implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(LogDirectory.class.getName());
  private static final String LOCK = ".lock";
  private static final String CLEAN_STOP = ".kafka_cleanshutdown";

  private final Disk disk;
  private final Path root;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final DirectoryLock lock;
  private final LastStops lastStops;
  private final Map<String, OffsetCheckpoint> checkpoints = new ConcurrentHashMap<>();
  private final ConcurrentSkipListMap<TopicPartition, PartitionLog> logs = new ConcurrentSkipListMap<>();

  /** What the recovery point checkpoint holds since this process wrote it. Guarded by checkpoints. */
  private Map<TopicPartition, Long> keptRecoveryPoints = Map.of();

  // Guarded by this.
  private final Set<TopicPartition> failed = new HashSet<>();
  private boolean closed;

  /**
   * What the checkpoints said when the directory was opened.
   *
   * @param clean the last process closed every log
   */
  private record LastStops(boolean clean, Map<TopicPartition, Long> recoveryPoints,
      Map<TopicPartition, Long> logStarts) {
    LogOpening.LastStop of(TopicPartition partition) {
      return new LogOpening.LastStop(
          clean, recoveryPoints.getOrDefault(partition, 0L), logStarts.getOrDefault(partition, 0L));
    }
  }

  private LogDirectory(
      Disk disk, Path root, InstantSource clock, RandomGenerator random, DirectoryLock lock, LastStops lastStops) {
    this.disk = disk;
    this.root = root;
    this.clock = clock;
    this.random = random;
    this.lock = lock;
    this.lastStops = lastStops;
  }

  /**
   * Locks the folder (creating it where it is missing), checks {@code meta.properties}, reads the checkpoints, and
   * notes and removes the clean shutdown marker. No log is opened yet.
   *
   * @throws dev.rowlog.engine.error.DirectoryInUseException where another process holds it
   * @throws dev.rowlog.engine.error.UnsupportedFormatException for a newer format version
   */
  public static LogDirectory open(Disk disk, Path root, InstantSource clock, RandomGenerator random) {
    createRoot(disk, root.toAbsolutePath());
    DirectoryLock lock = disk.lock(root.resolve(LOCK));
    try {
      FormatVersion.ensureSupported(disk, root, partitions(disk, root).isEmpty());
      LastStops lastStops = new LastStops(
          disk.exists(root.resolve(CLEAN_STOP)),
          new OffsetCheckpoint(disk, root, OffsetCheckpoint.RECOVERY_POINT).readLenient(),
          new OffsetCheckpoint(disk, root, OffsetCheckpoint.LOG_START).readLenient());
      if (lastStops.clean()) {
        // Durably, before anything is written: the next stop may not be a clean one.
        disk.delete(root.resolve(CLEAN_STOP));
        disk.syncDirectory(root);
      }
      return new LogDirectory(disk, root, clock, random, lock, lastStops);
    } catch (RuntimeException | Error e) {
      try {
        lock.close();
      } catch (LogException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private static void createRoot(Disk disk, Path root) {
    Path existing = root;
    while (!disk.exists(existing)) {
      existing = existing.getParent();
    }
    disk.createDirectories(root);
    for (Path created = root; !created.equals(existing); created = created.getParent()) {
      disk.syncDirectory(created.getParent());
    }
  }

  public Path root() {
    return root;
  }

  /** The file system that it lies on. */
  public Disk disk() {
    return disk;
  }

  /** The logs whose folders are there, loaded or not, sorted. */
  public List<TopicPartition> partitions() {
    return partitions(disk, root);
  }

  private static List<TopicPartition> partitions(Disk disk, Path root) {
    return disk.list(root).stream()
        .map(TopicPartition::parseDirectoryName)
        .flatMap(Optional::stream)
        .filter(partition -> folder(disk, root, partition).isLog())
        .sorted()
        .toList();
  }

  private static PartitionFolder folder(Disk disk, Path root, TopicPartition partition) {
    return new PartitionFolder(disk, root.resolve(partition.directoryName()), partition);
  }

  private PartitionFolder folder(TopicPartition partition) {
    return folder(disk, root, partition);
  }

  /**
   * The id of a log whose folder is there, loaded or not.
   *
   * @throws CorruptLogException where it cannot be read
   */
  public TopicId topicId(TopicPartition partition) {
    return folder(partition).topicId();
  }

  /**
   * Opens a log that is there, recovering it as far as the bound and the stop before ask. One that failed may be
   * loaded again.
   *
   * @throws UnknownTopicException where there is no such log
   * @throws CorruptLogException where what must be whole is not
   */
  public PartitionLog load(
      TopicPartition partition, LogConfig config, OpeningBound bound, HighWatermark highWatermark) {
    PartitionFolder folder = folder(partition);
    if (!folder.isLog()) {
      throw new UnknownTopicException("no log " + partition + " in " + root);
    }
    LogOpening.LastStop lastStop;
    synchronized (this) {
      lastStop = lastStop(partition);
      // Until it is open, the stop of this process is not a clean one.
      failed.add(partition);
    }
    PartitionLog log = LogOpening.open(folder, config, bound, lastStop, surroundings(highWatermark));
    synchronized (this) {
      failed.remove(partition);
      logs.put(partition, log);
    }
    RecoveryReport report = log.recoveryReport();
    if (!report.notes().isEmpty() || report.cutBytes() > 0) {
      LOGGER.log(
          System.Logger.Level.INFO,
          "opened {0}: cut {1} bytes; {2}",
          partition, Long.toString(report.cutBytes()), String.join("; ", report.notes()));
    }
    return log;
  }

  private PartitionLog.Surroundings surroundings(HighWatermark highWatermark) {
    return new PartitionLog.Surroundings(clock, highWatermark, this::keepRecoveryPoint);
  }

  private LogOpening.LastStop lastStop(TopicPartition partition) {
    PartitionLog before = logs.get(partition);
    if (before == null) {
      LogOpening.LastStop lastStop = lastStops.of(partition);
      return failed.contains(partition)
          ? new LogOpening.LastStop(false, lastStop.recoveryPoint(), lastStop.logStartOffset())
          : lastStop;
    }
    if (before.isWritable()) {
      throw new IllegalStateException("log " + partition + " is open");
    }
    before.close();
    return new LogOpening.LastStop(false, before.recoveryPoint(), before.logStartOffset());
  }

  /** Creates a log's folder, durable with its name and id. */
  public synchronized PartitionLog create(TopicPartition partition, LogConfig config, HighWatermark highWatermark) {
    PartitionFolder folder = folder(partition);
    if (folder.isLog()) {
      throw new IllegalStateException("log " + partition + " is there already: " + folder.path());
    }
    forget(partition);
    disk.createDirectories(folder.path());
    folder.writeConfig(config);
    folder.writeFirstLeaderEpoch();
    Segment first = Segment.create(disk, folder.path(), 0, State.FINAL, config.indexSettings());
    first.sync();
    first.close();
    disk.syncDirectory(root);
    // Last: with it the folder is a log.
    folder.writeTopicId(TopicId.random(random));
    LogOpening.LastStop fresh = new LogOpening.LastStop(true, 0, 0);
    PartitionLog log = LogOpening.open(folder, config, new OpeningBound.LogEnd(), fresh, surroundings(highWatermark));
    logs.put(partition, log);
    return log;
  }

  /** What the checkpoints say of a log of that name that is gone does not hold for a new one. */
  private void forget(TopicPartition partition) {
    OffsetCheckpoint.NAMES.forEach(name -> checkpoint(name).remove(partition));
  }

  /** The loaded log of that name. */
  public Optional<PartitionLog> log(TopicPartition partition) {
    return Optional.ofNullable(logs.get(partition));
  }

  /** The loaded logs, sorted. */
  public Collection<PartitionLog> logs() {
    return List.copyOf(logs.values());
  }

  /** The configuration kept in the partition's folder ({@code topic.properties}), or empty. */
  public Optional<LogConfig> storedConfig(TopicPartition partition) {
    return folder(partition).config();
  }

  /** Keeps a configuration in the partition's folder, durably, and gives it to the log where it is loaded. */
  public void storeConfig(TopicPartition partition, LogConfig config) {
    folder(partition).writeConfig(config);
    log(partition).ifPresent(log -> log.reconfigure(config));
  }

  /** The same object for the same name, so that its readers and writers take turns. */
  public OffsetCheckpoint checkpoint(String fileName) {
    return checkpoints.computeIfAbsent(fileName, name -> new OffsetCheckpoint(disk, root, name));
  }

  /** Writes recovery points, log starts and high watermarks of the loaded logs. */
  public void writeCheckpoints() {
    write(OffsetCheckpoint.RECOVERY_POINT, PartitionLog::recoveryPoint);
    write(OffsetCheckpoint.LOG_START, PartitionLog::logStartOffset);
    write(OffsetCheckpoint.REPLICATION_OFFSET, PartitionLog::highWatermark);
  }

  private void keepRecoveryPoint(PartitionLog log) {
    synchronized (checkpoints) {
      if (keptRecoveryPoints.getOrDefault(log.topicPartition(), 0L) < log.recoveryPoint()) {
        write(OffsetCheckpoint.RECOVERY_POINT, PartitionLog::recoveryPoint);
      }
    }
  }

  /** Entries of logs that are there but not loaded stay as they are. */
  private void write(String name, ToLongFunction<PartitionLog> offset) {
    // The values are read under the lock, too, so that no older one comes to lie over a newer one.
    synchronized (checkpoints) {
      Map<TopicPartition, Long> offsets = new TreeMap<>();
      logs.values().forEach(log -> offsets.put(log.topicPartition(), offset.applyAsLong(log)));
      Map<TopicPartition, Long> written = checkpoint(name).put(offsets, partitions());
      if (name.equals(OffsetCheckpoint.RECOVERY_POINT)) {
        keptRecoveryPoints = written;
      }
    }
  }

  /**
   * Flushes and closes every log, writes the checkpoints, gives the lock back. The clean shutdown marker is written
   * only where every log that is there was closed well, or not touched since a clean stop.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    LogException problem = null;
    for (PartitionLog log : logs.values()) {
      problem = attempt(log::close, problem);
    }
    problem = attempt(this::writeCheckpoints, problem);
    if (problem == null && isClean()) {
      problem = attempt(
          () -> DurableTextFile.write(disk, root.resolve(CLEAN_STOP), "{\"version\":0,\"brokerEpoch\":-1}"), null);
    }
    problem = attempt(lock::close, problem);
    if (problem != null) {
      throw problem;
    }
  }

  private static LogException attempt(Runnable step, LogException before) {
    try {
      step.run();
    } catch (LogException e) {
      if (before == null) {
        return e;
      }
      before.addSuppressed(e);
    }
    return before;
  }

  private boolean isClean() {
    return failed.isEmpty() && logs.values().stream().noneMatch(PartitionLog::hasFailed)
        && (lastStops.clean() || logs.keySet().containsAll(partitions()));
  }
}
