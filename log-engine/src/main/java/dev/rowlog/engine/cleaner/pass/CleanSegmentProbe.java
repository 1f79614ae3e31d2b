package dev.rowlog.engine.cleaner.pass;

import dev.rowlog.engine.cleaner.io.CheckedBatches;
import dev.rowlog.engine.cleaner.io.PassIo;
import dev.rowlog.engine.cleaner.map.KeyGroup;
import dev.rowlog.engine.cleaner.map.SurvivorBits;
import dev.rowlog.engine.cleaner.plan.RetentionRule;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchDecoder;

/**
 * Looks up the records below the first dirty offset in the finished offset map: which of them have a newer one. One
 * thread.
 *
 * <p>Asked first whether a segment changes at all, which ends at the first record that does; a segment without one
 * is not written again. Asked again right before a rewrite, for the bit of every record, so that memory is bounded
 * by one segment.
 */
final class CleanSegmentProbe {
  private final CleanerMemory memory;
  private final PassIo io;
  private final RetentionRule rule;
  private final long firstDirtyOffset;

  CleanSegmentProbe(CleanerMemory memory, PassIo io, RetentionRule rule, long firstDirtyOffset) {
    this.memory = memory;
    this.io = io;
    this.rule = rule;
    this.firstDirtyOffset = firstDirtyOffset;
  }

  /**
   * Sets {@code plan.changes} at the first record that goes or needs a horizon; where there is none, counts the
   * records.
   */
  void detectChange(SegmentPlan plan) {
    long tombstones = 0;
    long records = 0;
    CheckedBatches batches = memory.batches();
    KeyGroup group = memory.group();
    group.clear();
    batches.open(plan.segment, 0, io);
    while (batches.next() && batches.batch().baseOffset() < firstDirtyOffset) {
      ensureNotTransactional(plan, batches);
      boolean settled = isSettled(batches);
      try {
        RecordBatchDecoder decoder = batches.records();
        while (decoder.next() && decoder.offset() < firstDirtyOffset) {
          boolean tombstone = decoder.valueLength() < 0;
          if (decoder.keyLength() < 0 || tombstone && !settled) {
            plan.changes = true;
            return;
          }
          tombstones += tombstone ? 1 : 0;
          records++;
          add(decoder, 0, tombstone);
          if (group.isFull() && hits() != 0) {
            plan.changes = true;
            return;
          }
        }
      } catch (InvalidRecordException e) {
        throw batches.corrupt(e);
      }
      if (group.refersToBuffer() && hits() != 0) {
        plan.changes = true;
        return;
      }
    }
    if (hits() != 0) {
      plan.changes = true;
      return;
    }
    plan.tombstones += tombstones;
    plan.cleanRecords = records;
  }

  /**
   * Fills {@link CleanerMemory#segmentSurvivors} with a bit for each record of the segment from its first to the
   * pass's end; those of the dirty part are copied.
   */
  void markSurvivors(SegmentPlan plan) {
    SurvivorBits bits = memory.segmentSurvivors();
    bits.reset();
    KeyGroup group = memory.group();
    group.clear();
    plan.cleanRecords = 0;
    long index = 0;
    long ordinal = plan.firstOrdinal;
    CheckedBatches batches = memory.batches();
    batches.open(plan.segment, 0, io);
    while (batches.next() && batches.batch().baseOffset() < rule.endOffset()) {
      ensureNotTransactional(plan, batches);
      bits.ensure(index + batches.batch().recordCount());
      try {
        RecordBatchDecoder decoder = batches.records();
        for (; decoder.next(); index++) {
          if (decoder.offset() >= firstDirtyOffset) {
            if (decoder.offset() < rule.endOffset() && !memory.survivors().isSet(ordinal++)) {
              bits.clear((int) index);
            }
          } else {
            plan.cleanRecords++;
            markClean(plan, decoder, (int) index);
          }
        }
      } catch (InvalidRecordException e) {
        throw batches.corrupt(e);
      }
      if (group.refersToBuffer()) {
        clearHits();
      }
    }
    clearHits();
  }

  private void markClean(SegmentPlan plan, RecordBatchDecoder decoder, int index) {
    if (decoder.keyLength() < 0) {
      memory.segmentSurvivors().clear(index);
      plan.recordsWithoutKey++;
      return;
    }
    boolean tombstone = decoder.valueLength() < 0;
    plan.tombstones += tombstone ? 1 : 0;
    add(decoder, index, tombstone);
    if (memory.group().isFull()) {
      clearHits();
    }
  }

  private void add(RecordBatchDecoder decoder, int index, boolean tombstone) {
    if (memory.map().size() > 0) {
      memory.group().add(decoder.data(), decoder.keyPosition(), decoder.keyLength(), index, decoder.offset(),
          tombstone);
    }
  }

  private boolean isSettled(CheckedBatches batches) {
    long horizon = batches.horizonMs();
    return horizon == RetentionRule.NO_HORIZON
        ? rule.horizonToSet(horizon, batches.batch().lastOffset()) == RetentionRule.NO_HORIZON
        : !rule.isExpired(horizon);
  }

  private long hits() {
    KeyGroup group = memory.group();
    long hits = group.isEmpty() ? 0 : memory.map().find(group);
    group.clear();
    return hits;
  }

  private void clearHits() {
    KeyGroup group = memory.group();
    long hits = group.isEmpty() ? 0 : memory.map().find(group);
    for (; hits != 0; hits &= hits - 1) {
      memory.segmentSurvivors().clear(group.ordinal[Long.numberOfTrailingZeros(hits)]);
    }
    group.clear();
  }

  private static void ensureNotTransactional(SegmentPlan plan, CheckedBatches batches) {
    if (batches.isTransactional()) {
      RecordBatch batch = batches.batch();
      throw new UnsupportedFormatException(
          plan.segment.logPath() + ": the batch at offset " + batch.baseOffset()
              + " belongs to a transaction; logs that hold transactions below the cleaner checkpoint are not cleaned");
    }
  }
}
