package dev.rowlog.engine.cleaner;

import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.directory.LogDirectory;
import dev.rowlog.engine.log.directory.OffsetCheckpoint;
import java.lang.System.Logger.Level;
import java.lang.System.Logger;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The cleaner's two files: up to where each log is clean, and each log's highest tombstone that is gone. One
 * thread.
 */
final class CleanerCheckpoints {
  private static final Logger LOGGER = System.getLogger(CleanerCheckpoints.class.getName());

  private final LogDirectory directory;
  private final OffsetCheckpoint cleanerOffset;
  private final OffsetCheckpoint tombstoneHorizon;

  CleanerCheckpoints(LogDirectory directory) {
    this.directory = directory;
    this.cleanerOffset = directory.checkpoint(OffsetCheckpoint.CLEANER_OFFSET);
    this.tombstoneHorizon = directory.checkpoint(OffsetCheckpoint.TOMBSTONE_HORIZON);
  }

  OptionalLong firstDirtyOffset(TopicPartition log) {
    Long offset = readCleanerOffsets().get(log);
    return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
  }

  /** A file that cannot be read says nothing: every log is dirty from its start, and the next write replaces it. */
  private Map<TopicPartition, Long> readCleanerOffsets() {
    try {
      return cleanerOffset.read();
    } catch (CorruptLogException e) {
      LOGGER.log(Level.WARNING, "every log counts as dirty from its start: " + e.getMessage());
      return Map.of();
    }
  }

  /** Durable when it returns; entries of logs that are gone are dropped. */
  void cleanedUpTo(TopicPartition log, long offset) {
    Map<TopicPartition, Long> offsets = new HashMap<>(readCleanerOffsets());
    offsets.keySet().retainAll(directory.partitions());
    offsets.put(log, offset);
    cleanerOffset.write(offsets);
  }

  /** Notes that tombstones up to {@code offset} may be gone; durable when it returns. */
  void tombstonesRemovedUpTo(TopicPartition log, long offset) {
    Map<TopicPartition, Long> offsets = new HashMap<>(tombstoneHorizon.read());
    Long before = offsets.put(log, offset);
    if (before == null || before < offset) {
      tombstoneHorizon.write(offsets);
    }
  }
}
