package dev.rowlog.engine.cleaner.pass;

import dev.rowlog.engine.cleaner.io.CheckedBatches;
import dev.rowlog.engine.cleaner.map.SurvivorBits;
import dev.rowlog.engine.cleaner.plan.RetentionRule;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.record.BatchAttributes;
import dev.rowlog.engine.record.BatchHeader;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchDecoder;
import dev.rowlog.engine.record.RecordBatchLayout;
import dev.rowlog.engine.record.Varint;
import dev.rowlog.engine.record.codec.GrowableBuffer;
import java.nio.ByteBuffer;

/**
 * Writes one batch again without the records that go (Kafka {@code MemoryRecords.filterTo}). Reused; one thread.
 *
 * <p>What stays: base offset, last offset delta, producer fields, leader epoch, codec, timestamp kind, and each
 * record's offset, timestamp, key, value and headers. Base timestamp becomes the first kept record's, or the delete
 * horizon.
 */
final class BatchThinner {

  /** What became of the batch. */
  enum Outcome {
    /** Nothing changes: its own bytes are to be copied. */
    UNCHANGED,
    /** The target holds it without the records that go. */
    THINNED,
    /** No record stays. */
    EMPTIED
  }

  private static final byte NO_RECORD_ATTRIBUTES = 0;

  private final RetentionRule rule;
  private final GrowableBuffer plain;
  private int recordsKept;
  private int recordsKeptBelowEnd;
  private int tombstonesKept;
  private int tombstonesRemoved;
  private long lastRemovedTombstone;
  private long maxTimestamp;
  private long baseTimestamp;

  /**
   * @param plain for records before compression
   */
  BatchThinner(RetentionRule rule, GrowableBuffer plain) {
    this.rule = rule;
    this.plain = plain;
  }

  /**
   * Thins the current batch.
   *
   * @param firstBit the bit of its first record
   * @param target gets the batch at its position where the outcome is {@code THINNED}; otherwise its position stays
   */
  Outcome thin(CheckedBatches batches, SurvivorBits bits, long firstBit, GrowableBuffer target) {
    int start = target.buffer().position();
    try {
      return thin(batches, bits, firstBit, target, batches.horizonMs());
    } catch (InvalidRecordException e) {
      target.buffer().position(start);
      throw batches.corrupt(e);
    }
  }

  private Outcome thin(CheckedBatches batches, SurvivorBits bits, long firstBit, GrowableBuffer target,
      long horizonMs) {
    RecordBatch batch = batches.batch();
    int start = target.buffer().position();
    long horizonToSet = rule.horizonToSet(horizonMs, batch.lastOffset());
    boolean setsHorizon = false;
    if (!encode(batches, bits, firstBit, target, horizonMs, horizonToSet != RetentionRule.NO_HORIZON)) {
      // It keeps a tombstone that starts its clock now: once more, relative to the horizon.
      setsHorizon = true;
      target.buffer().position(start);
      encode(batches, bits, firstBit, target, horizonToSet, false);
    }
    if (recordsKept == 0) {
      target.buffer().position(start);
      return Outcome.EMPTIED;
    }
    if (recordsKept == batch.recordCount() && !setsHorizon) {
      target.buffer().position(start);
      return Outcome.UNCHANGED;
    }
    finish(batch, target, start, setsHorizon ? horizonToSet : horizonMs);
    return Outcome.THINNED;
  }

  /** False, at once, where a tombstone is kept and {@code stopAtTombstone}. */
  private boolean encode(
      CheckedBatches batches, SurvivorBits bits, long firstBit, GrowableBuffer target, long horizonMs,
      boolean stopAtTombstone) {
    RecordBatch batch = batches.batch();
    RecordBatchDecoder records = batches.records();
    // What expires is judged by the horizon that the batch came with.
    long ownHorizonMs = batches.horizonMs();
    GrowableBuffer sink = isCompressed(batch) ? plain : target;
    if (sink == plain) {
      plain.clear();
    } else {
      reserveHeader(target);
    }
    recordsKept = 0;
    recordsKeptBelowEnd = 0;
    tombstonesKept = 0;
    tombstonesRemoved = 0;
    maxTimestamp = BatchHeader.NO_TIMESTAMP;
    baseTimestamp = horizonMs;
    long bit = firstBit;
    // In a batch that reaches beyond the pass's end, not every record has a bit.
    long skippableEnd = batch.lastOffset() < rule.endOffset() ? firstBit + batch.recordCount() : firstBit;
    while (true) {
      if (bit < skippableEnd && !bits.isSet(bit)) {
        // Nothing of it matters but where it ends.
        records.skip();
        bit++;
        continue;
      }
      if (!records.next()) {
        return true;
      }
      boolean hasKey = records.keyLength() >= 0;
      boolean tombstone = records.valueLength() < 0;
      int inPass = records.offset() < rule.endOffset() ? 1 : 0;
      boolean superseded = inPass == 1 && !bits.isSet(bit++);
      if (!rule.keeps(records.offset(), hasKey, superseded, tombstone, ownHorizonMs)) {
        if (tombstone && hasKey && !superseded) {
          tombstonesRemoved++;
          lastRemovedTombstone = records.offset();
        }
        continue;
      }
      if (tombstone) {
        if (stopAtTombstone) {
          return false;
        }
        tombstonesKept += inPass;
      }
      if (recordsKept++ == 0 && horizonMs == RetentionRule.NO_HORIZON) {
        baseTimestamp = records.timestamp();
      }
      recordsKeptBelowEnd += inPass;
      maxTimestamp = Math.max(maxTimestamp, records.timestamp());
      write(records, baseTimestamp, sink);
    }
  }

  private static void write(RecordBatchDecoder record, long baseTimestamp, GrowableBuffer sink) {
    long timestampDelta = record.timestamp() - baseTimestamp;
    int bodyBytes = record.recordEnd() - record.bodyPosition();
    int length = 1 + Varint.sizeOf(timestampDelta) + Varint.sizeOf(record.offsetDelta()) + bodyBytes;
    ByteBuffer target = sink.ensureRemaining(Varint.MAX_INT_BYTES + length);
    Varint.write(length, target);
    target.put(NO_RECORD_ATTRIBUTES);
    Varint.write(timestampDelta, target);
    Varint.write(record.offsetDelta(), target);
    int at = target.position();
    target.put(at, record.data(), record.bodyPosition(), bodyBytes);
    target.position(at + bodyBytes);
  }

  private void finish(RecordBatch batch, GrowableBuffer target, int start, long horizonMs) {
    BatchHeader header = BatchHeader.of(batch);
    BatchAttributes attributes = header.attributes().withDeleteHorizon(horizonMs != RetentionRule.NO_HORIZON);
    if (isCompressed(batch)) {
      reserveHeader(target);
      attributes.compression().compress(plain.buffer().flip(), target);
    }
    long max = attributes.isLogAppendTime() ? batch.maxTimestamp() : maxTimestamp;
    ByteBuffer bytes = target.buffer();
    header.withRecords(attributes, baseTimestamp, max, recordsKept).writeTo(bytes, start, bytes.position() - start);
  }

  /** Adds the batch without its records: what keeps the log end, or a producer's state. */
  static void writeHeaderOnly(RecordBatch batch, GrowableBuffer target) {
    int start = target.buffer().position();
    reserveHeader(target);
    BatchHeader.of(batch).withoutRecords().writeTo(target.buffer(), start, RecordBatchLayout.HEADER_SIZE);
  }

  private static void reserveHeader(GrowableBuffer target) {
    ByteBuffer bytes = target.ensureRemaining(RecordBatchLayout.HEADER_SIZE);
    bytes.position(bytes.position() + RecordBatchLayout.HEADER_SIZE);
  }

  private static boolean isCompressed(RecordBatch batch) {
    return batch.attributes().compression() != Compression.NONE;
  }

  /** Of the last batch: records below the pass's end that stay. */
  int recordsKeptBelowEnd() {
    return recordsKeptBelowEnd;
  }

  /** Of the last batch: tombstones below the pass's end that stay. */
  int tombstonesKept() {
    return tombstonesKept;
  }

  /** Of the last batch: tombstones that go because their horizon has come. */
  int tombstonesRemoved() {
    return tombstonesRemoved;
  }

  /** Offset of the last tombstone that went; meaningful where {@link #tombstonesRemoved} is above 0. */
  long lastRemovedTombstone() {
    return lastRemovedTombstone;
  }
}
