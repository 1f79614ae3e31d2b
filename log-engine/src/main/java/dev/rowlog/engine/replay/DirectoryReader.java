package dev.rowlog.engine.replay;

import dev.rowlog.engine.commit.CommittedEnds;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.log.LogConfig;
import dev.rowlog.engine.log.TopicPartition;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a data directory without its lock and without changing anything, also beside the process that writes it (D6).
 *
 * <p>Reads the commits first, lists, opens all handles, lists again, and starts over unless names and inodes are equal and no {@code .swap} is there.
 * Needs no index file. A folder that Kafka wrote has no commit log: its logs end at their last valid batch.
 */
public final class DirectoryReader implements AutoCloseable {

  private DirectoryReader() {}

  /**
   * @throws dev.rowlog.engine.error.UnknownTopicException where the folder is missing
   * @throws dev.rowlog.engine.error.UnsupportedFormatException for a newer format version
   */
  public static DirectoryReader open(Disk disk, Path root) {
    throw new UnsupportedOperationException("skeleton");
  }

  public Path root() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** The logs that are there, sorted. */
  public List<TopicPartition> partitions() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Empty for a folder without a commit log. */
  public Optional<CommittedEnds> committed() {
    throw new UnsupportedOperationException("skeleton");
  }

  public Optional<LogConfig> storedConfig(TopicPartition log) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** One of the checkpoint files, empty where it is missing. */
  public Map<TopicPartition, Long> checkpoint(String fileName) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** A cursor from {@code offset} on; below the log start it begins there. Closed apart from this reader. */
  public LogCursor cursor(TopicPartition log, long offset) {
    throw new UnsupportedOperationException("skeleton");
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("skeleton");
  }
}
