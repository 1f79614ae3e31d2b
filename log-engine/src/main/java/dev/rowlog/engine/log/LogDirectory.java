package dev.rowlog.engine.log;

import dev.rowlog.engine.disk.Disk;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The folder of all logs: its lock, format version, checkpoints and partition folders. Any thread; loading and creating one at a time.
 */
public final class LogDirectory implements AutoCloseable {

  private LogDirectory() {}

  /**
   * Locks the folder (creating it where it is missing), checks {@code meta.properties}, reads the checkpoints, and notes and removes the clean
   * shutdown marker. No log is opened yet.
   *
   * @throws dev.rowlog.engine.error.DirectoryInUseException where another process holds it
   * @throws dev.rowlog.engine.error.UnsupportedFormatException for a newer format version
   */
  public static LogDirectory open(Disk disk, Path root, InstantSource clock, RandomGenerator random) {
    throw new UnsupportedOperationException("skeleton");
  }

  public Path root() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** The file system that it lies on. */
  public Disk disk() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** The logs whose folders are there, loaded or not, sorted. */
  public List<TopicPartition> partitions() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Opens a log that is there, recovering it as far as the bound and the stop before ask. */
  public PartitionLog load(TopicPartition partition, LogConfig config, OpeningBound bound, HighWatermark highWatermark) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Creates a log's folder, durable with its name and id. */
  public PartitionLog create(TopicPartition partition, LogConfig config, HighWatermark highWatermark) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** The loaded log of that name. */
  public Optional<PartitionLog> log(TopicPartition partition) {
    throw new UnsupportedOperationException("skeleton");
  }

  public Collection<PartitionLog> logs() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** The configuration kept in the partition's folder ({@code topic.properties}), or empty. */
  public Optional<LogConfig> storedConfig(TopicPartition partition) {
    throw new UnsupportedOperationException("skeleton");
  }

  public OffsetCheckpoint checkpoint(String fileName) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Writes recovery points, log starts and high watermarks of the loaded logs. */
  public void writeCheckpoints() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Flushes and closes every log, writes the checkpoints and the clean shutdown marker, gives the lock back. */
  @Override
  public void close() {
    throw new UnsupportedOperationException("skeleton");
  }
}
