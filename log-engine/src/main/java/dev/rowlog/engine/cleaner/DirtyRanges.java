package dev.rowlog.engine.cleaner;

import dev.rowlog.engine.cleaner.plan.CompactionLag;
import dev.rowlog.engine.cleaner.plan.DirtyRange;
import dev.rowlog.engine.cleaner.plan.SegmentFacts;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.directory.LogDirectory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** What could be cleaned in each log, by its checkpoint and its configuration. {@link #of} one thread, {@link #all} any. */
final class DirtyRanges {
  private static final Logger LOGGER = System.getLogger(LogCleaner.class.getName());

  private final LogDirectory directory;
  private final CleanerCheckpoints checkpoints;
  private final ToLongFunction<TopicPartition> lagBytes;

  DirtyRanges(LogDirectory directory, CleanerCheckpoints checkpoints, ToLongFunction<TopicPartition> lagBytes) {
    this.directory = directory;
    this.checkpoints = checkpoints;
    this.lagBytes = lagBytes;
  }

  /** Sets a checkpoint that lies outside the log back, with a warning. */
  DirtyRange of(PartitionLog log, long nowMs) {
    DirtyRange range = of(log, nowMs, checkpoints.firstDirtyOffset(log.topicPartition()));
    if (range.checkpointRejected()) {
      LOGGER.log(
          Level.WARNING,
          "the cleaner checkpoint of " + log.topicPartition()
              + " lies outside the log; it is cleaned again from its start, offset "
              + range.firstDirtyOffset());
      checkpoints.cleanedUpTo(log.topicPartition(), range.firstDirtyOffset());
    }
    return range;
  }

  /** Of every compacted log; changes nothing. */
  Map<TopicPartition, DirtyRange> all(long nowMs) {
    Map<TopicPartition, Long> cleaned = checkpoints.firstDirtyOffsets();
    Map<TopicPartition, DirtyRange> ranges = new TreeMap<>();
    for (PartitionLog log : directory.logs()) {
      Long checkpoint = cleaned.get(log.topicPartition());
      if (log.config().cleanupPolicy().compacts()) {
        ranges.put(log.topicPartition(),
            of(log, nowMs, checkpoint == null ? OptionalLong.empty() : OptionalLong.of(checkpoint)));
      }
    }
    return ranges;
  }

  private DirtyRange of(PartitionLog log, long nowMs, OptionalLong checkpoint) {
    // The bound first: segments that roll meanwhile lie beyond it.
    long logEndOffset = log.logEndOffset();
    long lastStableOffset = log.lastStableOffset();
    return DirtyRange.of(
        SegmentFacts.of(log.segments()),
        checkpoint,
        new DirtyRange.Bounds(log.logStartOffset(), logEndOffset, lastStableOffset),
        nowMs,
        new CompactionLag(log.config().minCompactionLagMs(), lagBytes.applyAsLong(log.topicPartition())));
  }
}
