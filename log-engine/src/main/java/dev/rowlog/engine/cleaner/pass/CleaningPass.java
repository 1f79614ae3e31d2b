package dev.rowlog.engine.cleaner.pass;

import dev.rowlog.engine.cleaner.io.PassIo;
import dev.rowlog.engine.cleaner.plan.DirtyRange;
import dev.rowlog.engine.cleaner.plan.RetentionRule;
import dev.rowlog.engine.cleaner.plan.SegmentGroups;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.SegmentList;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.log.replacement.SegmentReplacement;
import dev.rowlog.engine.segment.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * One round over one log: map, decide, rewrite, swap (Kafka {@code Cleaner.doClean}). Used once; one thread.
 *
 * <p>It works on the segments of one instant, all closed, and below its end; appends and reads go on meanwhile.
 * Groups are swapped in ascending order, so that whatever is left undone by a crash or a failure, no tombstone is
 * gone while an older value of its key is there. Sources are never written to.
 */
public final class CleaningPass {

  /**
   * What a round did.
   *
   * @param endOffset exclusive: the new cleaner checkpoint
   * @param stoppedByTransaction true where a transactional batch ended it
   */
  public record Result(long endOffset, boolean stoppedByTransaction, PassTally tally, double mapUse) {}

  private final PartitionLog log;
  private final DirtyRange range;
  private final long nowMs;
  private final Disk disk;
  private final CleanerMemory memory;
  private final PassIo io;
  private final LongConsumer tombstoneHorizon;
  private final PassTally tally = new PassTally();

  /**
   * @param tombstoneHorizon makes durable, before a swap, that tombstones up to this offset are gone
   */
  public CleaningPass(
      PartitionLog log,
      DirtyRange range,
      long nowMs,
      Disk disk,
      CleanerMemory memory,
      PassIo io,
      LongConsumer tombstoneHorizon) {
    this.log = log;
    this.range = range;
    this.nowMs = nowMs;
    this.disk = disk;
    this.memory = memory;
    this.io = io;
    this.tombstoneHorizon = tombstoneHorizon;
  }

  /**
   * @param segments the log's segments, each held by the caller
   * @throws dev.rowlog.engine.error.LogException where it failed: groups that were swapped stay, of the one in hand
   *     nothing is left
   */
  public Result run(SegmentList segments) {
    List<SegmentPlan> plans = plansBelow(segments, range.firstUncleanableOffset());
    DirtyScan.End end = scanDirty(plans);
    RetentionRule rule = new RetentionRule(end.endOffset(), nowMs, log.config().deleteRetentionMs());
    List<SegmentPlan> inputs = plans.stream().filter(plan -> isInput(plan, end)).toList();
    CleanSegmentProbe probe = new CleanSegmentProbe(memory, io, rule, range.firstDirtyOffset());
    for (SegmentPlan plan : inputs) {
      io.checkNotStopped();
      if (!plan.changes && plan.segment.baseOffset() < range.firstDirtyOffset()) {
        probe.detectChange(plan);
      }
    }
    double mapUse = memory.map().use();
    SegmentRewriter rewriter = new SegmentRewriter(
        memory,
        io,
        rule,
        probe,
        new ProducerTails(segments, memory.bufferBytes()),
        range.firstDirtyOffset(),
        lastBatchEndOffset(inputs, end),
        tally);
    rewriteGroups(inputs, rewriter, end.endOffset());
    return new Result(end.endOffset(), end.stoppedByTransaction(), tally, mapUse);
  }

  private static List<SegmentPlan> plansBelow(SegmentList segments, long firstUncleanableOffset) {
    List<SegmentPlan> plans = new ArrayList<>();
    List<Segment> all = segments.all();
    for (int i = 0; i + 1 < all.size() && all.get(i + 1).baseOffset() <= firstUncleanableOffset; i++) {
      plans.add(new SegmentPlan(all.get(i), all.get(i + 1).baseOffset()));
    }
    return plans;
  }

  private static boolean isInput(SegmentPlan plan, DirtyScan.End end) {
    return end.stoppedByTransaction()
        ? plan.endOffset <= end.endOffset()
        : plan.segment.baseOffset() < end.endOffset();
  }

  private DirtyScan.End scanDirty(List<SegmentPlan> plans) {
    List<SegmentPlan> dirty = plans.stream().filter(plan -> plan.endOffset > range.firstDirtyOffset()).toList();
    long offsets = range.firstUncleanableOffset() - range.firstDirtyOffset();
    int longKeyBytes = dirty.isEmpty() ? 0 : LongKeySample.meanBytes(dirty.get(0).segment, memory.batches(), io);
    // Every record has an offset of its own: no more keys than that can come.
    memory.map().prepare(dirty.isEmpty() ? 0 : offsets, longKeyBytes);
    RetentionRule clock = new RetentionRule(range.firstUncleanableOffset(), nowMs, log.config().deleteRetentionMs());
    return new DirtyScan(memory, io, clock, range.firstDirtyOffset()).walk(dirty, range.firstUncleanableOffset());
  }

  /**
   * A round that comes to its end keeps the header of its last batch: the log must not end lower if all that
   * follows is lost.
   */
  private long lastBatchEndOffset(List<SegmentPlan> inputs, DirtyScan.End end) {
    boolean complete = end.endOffset() == range.firstUncleanableOffset() && !inputs.isEmpty();
    return complete ? inputs.get(inputs.size() - 1).segment.nextOffset() : -1;
  }

  private void rewriteGroups(List<SegmentPlan> inputs, SegmentRewriter rewriter, long endOffset) {
    LogConfig config = log.config();
    List<SegmentGroups.Group> groups = SegmentGroups.of(
        inputs.stream().map(SegmentPlan::member).toList(),
        new SegmentGroups.Limits(config.segmentBytes(), config.segmentIndexBytes()));
    boolean flushed = false;
    for (SegmentGroups.Group group : groups) {
      List<SegmentPlan> sources = inputs.subList(group.first(), group.end());
      if (!group.rewritten()) {
        tally.unchanged(sources.get(0));
        tally.sizes(sources.get(0).segment.sizeBytes(), sources.get(0).segment.sizeBytes());
        continue;
      }
      if (!flushed && log.recoveryPoint() < endOffset) {
        // A newer record must be durable before the one that it replaces goes.
        log.flush();
      }
      flushed = true;
      rewriteGroup(sources, rewriter, config);
    }
  }

  private void rewriteGroup(List<SegmentPlan> sources, SegmentRewriter rewriter, LogConfig config) {
    List<Segment> segments = sources.stream().map(plan -> plan.segment).toList();
    CleanedSegments cleaned = new CleanedSegments(
        disk,
        log.directory(),
        config.indexSettings(),
        config.segmentBytes(),
        memory.output(),
        memory.bufferBytes(),
        io);
    List<Segment> outputs;
    try {
      cleaned.begin(segments.get(0).baseOffset());
      rewriter.rewrite(sources, cleaned);
      outputs = cleaned.finish(segments.get(segments.size() - 1).lastModified());
      if (tally.highestRemovedTombstone() >= 0) {
        tombstoneHorizon.accept(tally.highestRemovedTombstone());
      }
      io.checkNotStopped();
    } catch (RuntimeException | Error e) {
      cleaned.discard(e);
      throw e;
    }
    tally.sizes(
        segments.stream().mapToLong(Segment::sizeBytes).sum(), outputs.stream().mapToLong(Segment::sizeBytes).sum());
    try {
      log.replaceSegments(new SegmentReplacement(segments, outputs));
    } catch (RuntimeException e) {
      // A log that still takes writes has not begun the swap; another one finishes it when it is opened.
      if (log.isWritable()) {
        cleaned.discard(e);
      }
      throw e;
    }
  }
}
