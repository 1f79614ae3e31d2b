package dev.rowlog.engine.cleaner;

import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.directory.LogDirectory;
import dev.rowlog.engine.log.directory.OffsetCheckpoint;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The cleaner's two files: up to where each log is clean, and each log's highest tombstone that is gone. One
 * thread.
 */
final class CleanerCheckpoints {
  private final LogDirectory directory;
  private final OffsetCheckpoint cleanerOffset;
  private final OffsetCheckpoint tombstoneHorizon;

  CleanerCheckpoints(LogDirectory directory) {
    this.directory = directory;
    this.cleanerOffset = directory.checkpoint(OffsetCheckpoint.CLEANER_OFFSET);
    this.tombstoneHorizon = directory.checkpoint(OffsetCheckpoint.TOMBSTONE_HORIZON);
  }

  /** A file that cannot be read says nothing: every log is dirty from its start, and the next write replaces it. */
  OptionalLong firstDirtyOffset(TopicPartition log) {
    Long offset = cleanerOffset.readLenient().get(log);
    return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
  }

  /** As {@link #firstDirtyOffset}, of every log that has one. Any thread. */
  Map<TopicPartition, Long> firstDirtyOffsets() {
    return cleanerOffset.readLenient();
  }

  /** Durable when it returns; entries of logs that are gone are dropped. */
  void cleanedUpTo(TopicPartition log, long offset) {
    cleanerOffset.put(Map.of(log, offset), directory.partitions());
  }

  /** Notes that tombstones up to {@code offset} may be gone; durable when it returns. */
  void tombstonesRemovedUpTo(TopicPartition log, long offset) {
    tombstoneHorizon.raise(log, offset);
  }
}
