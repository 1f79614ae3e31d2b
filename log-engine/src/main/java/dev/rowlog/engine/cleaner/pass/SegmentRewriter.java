package dev.rowlog.engine.cleaner.pass;

import dev.rowlog.engine.cleaner.io.CheckedBatches;
import dev.rowlog.engine.cleaner.io.PassIo;
import dev.rowlog.engine.cleaner.map.SurvivorBits;
import dev.rowlog.engine.cleaner.plan.RetentionRule;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchLayout;
import dev.rowlog.engine.record.codec.GrowableBuffer;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The second walk of a pass: writes the segments of one group again without what goes (Kafka {@code
 * Cleaner.cleanInto}). One thread.
 *
 * <p>A batch that keeps every record is copied byte for byte, one that keeps some is thinned, one that keeps none
 * disappears, but for its header where that is the last trace of the log's end or of a producer.
 */
final class SegmentRewriter {
  private final CleanerMemory memory;
  private final PassIo io;
  private final RetentionRule rule;
  private final CleanSegmentProbe probe;
  private final ProducerTails producerTails;
  private final BatchThinner thinner;
  private final long firstDirtyOffset;
  private final long lastBatchEndOffset;
  private final PassTally tally;

  /**
   * @param lastBatchEndOffset next offset after the last batch of the pass, which keeps its header; -1 where the
   *     pass ended early
   */
  SegmentRewriter(
      CleanerMemory memory,
      PassIo io,
      RetentionRule rule,
      CleanSegmentProbe probe,
      ProducerTails producerTails,
      long firstDirtyOffset,
      long lastBatchEndOffset,
      PassTally tally) {
    this.memory = memory;
    this.io = io;
    this.rule = rule;
    this.probe = probe;
    this.producerTails = producerTails;
    this.thinner = new BatchThinner(rule, memory.plain());
    this.firstDirtyOffset = firstDirtyOffset;
    this.lastBatchEndOffset = lastBatchEndOffset;
    this.tally = tally;
  }

  /** Writes what stays of the segments, ascending, to the target. */
  void rewrite(List<SegmentPlan> group, CleanedSegments target) {
    for (SegmentPlan plan : group) {
      io.checkNotStopped();
      if (!plan.changes) {
        tally.unchanged(plan);
        copySegment(plan, target);
      } else if (plan.segment.baseOffset() < firstDirtyOffset) {
        probe.markSurvivors(plan);
        tally.changed(plan);
        rewriteSegment(plan, memory.segmentSurvivors(), 0, target);
      } else {
        tally.changed(plan);
        rewriteSegment(plan, memory.survivors(), plan.firstOrdinal, target);
      }
    }
  }

  /** For a merge alone. */
  private void copySegment(SegmentPlan plan, CleanedSegments target) {
    CheckedBatches batches = memory.batches();
    batches.open(plan.segment, 0, io);
    while (batches.next()) {
      RecordBatch batch = batches.batch();
      if (batch.recordCount() > 0 || keepsHeader(batch)) {
        copy(batch, target);
      }
    }
  }

  private void rewriteSegment(SegmentPlan plan, SurvivorBits bits, long firstBit, CleanedSegments target) {
    CheckedBatches batches = memory.batches();
    batches.open(plan.segment, 0, io);
    long bit = firstBit;
    while (batches.next()) {
      RecordBatch batch = batches.batch();
      int records = batch.recordCount();
      if (batch.baseOffset() >= rule.endOffset()) {
        copy(batch, target);
      } else if (batch.lastOffset() >= rule.endOffset()) {
        thin(batches, bits, bit, target);
        bit += records;
      } else {
        long live = bits.count(bit, bit + records);
        if (live == 0) {
          drop(batch, target);
        } else if (live == records && plan.tombstones == 0) {
          tally.kept(records, 0);
          copy(batch, target);
        } else {
          thin(batches, bits, bit, target);
        }
        bit += records;
      }
    }
  }

  private void thin(CheckedBatches batches, SurvivorBits bits, long bit, CleanedSegments target) {
    RecordBatch batch = batches.batch();
    GrowableBuffer pending = target.pending(batch.sizeBytes());
    int from = pending.buffer().position();
    BatchThinner.Outcome outcome = thinner.thin(batches, bits, bit, pending);
    tally.kept(thinner.recordsKeptBelowEnd(), thinner.tombstonesKept());
    if (thinner.tombstonesRemoved() > 0) {
      tally.removedTombstones(thinner.tombstonesRemoved(), thinner.lastRemovedTombstone());
    }
    switch (outcome) {
      case UNCHANGED -> copy(batch, target);
      case THINNED -> target.added(from, batch.baseOffset(), batch.lastOffset());
      case EMPTIED -> drop(batch, target);
    }
  }

  private static void copy(RecordBatch batch, CleanedSegments target) {
    int size = batch.sizeBytes();
    ByteBuffer pending = target.pending(size).ensureRemaining(size);
    int from = pending.position();
    pending.put(from, batch.buffer(), batch.start(), size);
    pending.position(from + size);
    target.added(from, batch.baseOffset(), batch.lastOffset());
  }

  private void drop(RecordBatch batch, CleanedSegments target) {
    if (keepsHeader(batch)) {
      GrowableBuffer pending = target.pending(RecordBatchLayout.HEADER_SIZE);
      int from = pending.ensureRemaining(RecordBatchLayout.HEADER_SIZE).position();
      BatchThinner.writeHeaderOnly(batch, pending);
      target.added(from, batch.baseOffset(), batch.lastOffset());
    }
  }

  private boolean keepsHeader(RecordBatch batch) {
    return batch.nextOffset() == lastBatchEndOffset || producerTails.isLastOfProducer(batch);
  }
}
