package dev.rowlog.engine.cleaner.pass;

import dev.rowlog.engine.cleaner.io.CheckedBatches;
import dev.rowlog.engine.cleaner.io.PassIo;
import dev.rowlog.engine.cleaner.map.KeyGroup;
import dev.rowlog.engine.cleaner.plan.RetentionRule;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchDecoder;
import java.util.List;

/**
 * The first walk of a pass: every record of the dirty part, in order, through the offset map (Kafka {@code
 * Cleaner.buildOffsetMap}).
 *
 * <p>Each record gets an ordinal; afterwards its bit says whether it is the newest of its key, so that rewriting
 * looks nothing up. It stops at the first new key that the map cannot take, at the first transactional batch, and
 * where bits run out. One thread.
 */
final class DirtyScan {

  /**
   * Where the walk ended.
   *
   * @param endOffset exclusive: everything below is known
   * @param stoppedByTransaction true where a transactional batch lies there
   */
  record End(long endOffset, boolean stoppedByTransaction) {}

  private final CleanerMemory memory;
  private final PassIo io;
  private final RetentionRule clock;
  private final long firstDirtyOffset;
  private long ordinal;
  private End stopped;

  /**
   * @param clock tells which horizons have come
   */
  DirtyScan(CleanerMemory memory, PassIo io, RetentionRule clock, long firstDirtyOffset) {
    this.memory = memory;
    this.io = io;
    this.clock = clock;
    this.firstDirtyOffset = firstDirtyOffset;
  }

  /**
   * Walks the segments of the range and fills in their plans.
   *
   * @param firstUncleanableOffset end of the range, exclusive
   */
  End walk(List<SegmentPlan> dirty, long firstUncleanableOffset) {
    memory.survivors().reset();
    memory.group().clear();
    for (SegmentPlan plan : dirty) {
      plan.firstOrdinal = ordinal;
      walkSegment(plan);
      if (stopped != null) {
        break;
      }
    }
    // Only now: a later segment may have replaced a record of an earlier one.
    for (SegmentPlan plan : dirty) {
      long live = memory.survivors().count(plan.firstOrdinal, plan.firstOrdinal + plan.dirtyRecords);
      plan.changes |= live < plan.dirtyRecords;
    }
    return stopped == null ? new End(firstUncleanableOffset, false) : stopped;
  }

  private void walkSegment(SegmentPlan plan) {
    CheckedBatches batches = memory.batches();
    batches.open(plan.segment, plan.segment.floorPosition(firstDirtyOffset), io);
    while (stopped == null && batches.next()) {
      RecordBatch batch = batches.batch();
      if (batch.lastOffset() < firstDirtyOffset) {
        continue;
      }
      if (batches.isTransactional()) {
        // The whole segment stays as it is, with its transaction index; what it has put in the map only replaces
        // older records.
        stopBefore(plan, Math.max(firstDirtyOffset, plan.segment.baseOffset()), true);
      } else if (batch.recordCount() > 0) {
        walkBatch(plan, batches);
      }
    }
    // The group must not cross segments: a stop corrects the counts of this one.
    if (stopped == null) {
      put(plan);
    }
    if (stopped == null) {
      plan.dirtyRecords = ordinal - plan.firstOrdinal;
    }
  }

  private void walkBatch(SegmentPlan plan, CheckedBatches batches) {
    memory.survivors().ensure(Math.min(ordinal + batches.batch().recordCount(), memory.maxRecords()));
    boolean settled = batches.horizonMs() != RetentionRule.NO_HORIZON && !clock.isExpired(batches.horizonMs());
    KeyGroup group = memory.group();
    try {
      RecordBatchDecoder records = batches.records();
      while (stopped == null && records.next()) {
        long offset = records.offset();
        if (offset < firstDirtyOffset) {
          continue;
        }
        if (ordinal == memory.maxRecords()) {
          stopBefore(plan, offset, false);
        } else if (records.keyLength() < 0) {
          dropWithoutKey(plan);
        } else {
          boolean tombstone = records.valueLength() < 0;
          if (tombstone) {
            plan.tombstones++;
            // Without a horizon it must get one, after its horizon it must go.
            plan.changes |= !settled;
          }
          group.add(records.data(), records.keyPosition(), records.keyLength(), (int) ordinal++, offset, tombstone);
          if (group.isFull()) {
            put(plan);
          }
        }
      }
    } catch (InvalidRecordException e) {
      throw batches.corrupt(e);
    }
    if (stopped == null && group.refersToBuffer()) {
      put(plan);
    }
  }

  private void dropWithoutKey(SegmentPlan plan) {
    // First what lies before it: the map may be full there.
    put(plan);
    if (stopped == null) {
      memory.survivors().clear((int) ordinal++);
      plan.recordsWithoutKey++;
    }
  }

  private void stopBefore(SegmentPlan plan, long offset, boolean byTransaction) {
    put(plan);
    if (stopped == null) {
      plan.dirtyRecords = ordinal - plan.firstOrdinal;
      stopped = new End(offset, byTransaction);
    }
  }

  private void put(SegmentPlan plan) {
    KeyGroup group = memory.group();
    int taken = memory.map().put(group, memory.survivors());
    if (taken < group.size()) {
      stopped = new End(group.offset[taken], false);
      plan.dirtyRecords = Integer.toUnsignedLong(group.ordinal[taken]) - plan.firstOrdinal;
      for (int i = taken; i < group.size(); i++) {
        plan.tombstones -= group.tombstone[i] ? 1 : 0;
      }
    }
    group.clear();
  }
}
