package dev.rowlog.engine.log;

import dev.rowlog.engine.disk.Disk;
import java.nio.file.Path;
import java.util.Map;

/**
 * A text file of offsets by log, in Kafka's format: version 0, count, {@code topic partition offset} a line. One writer thread.
 */
public final class OffsetCheckpoint {
  public static final String CLEANER_OFFSET = "cleaner-offset-checkpoint";
  public static final String RECOVERY_POINT = "recovery-point-offset-checkpoint";
  public static final String LOG_START = "log-start-offset-checkpoint";
  public static final String REPLICATION_OFFSET = "replication-offset-checkpoint";
  /** Ours: the highest removed tombstone of each log, written durably before the swap that removes it. */
  public static final String TOMBSTONE_HORIZON = "tombstone-horizon-checkpoint";

  public OffsetCheckpoint(Disk disk, Path directory, String fileName) {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * Empty where the file is missing or empty.
   *
   * @throws dev.rowlog.engine.error.CorruptLogException for a wrong count or line
   */
  public Map<TopicPartition, Long> read() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Durable when it returns: temporary file, sync, rename, sync of the folder. */
  public void write(Map<TopicPartition, Long> offsets) {
    throw new UnsupportedOperationException("skeleton");
  }
}
