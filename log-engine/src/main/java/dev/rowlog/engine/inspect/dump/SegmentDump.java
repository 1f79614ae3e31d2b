package dev.rowlog.engine.inspect.dump;

import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.error.OffsetOutOfRangeException;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.record.BatchAttributes;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchDecoder;
import dev.rowlog.engine.replay.DirectoryReader;
import dev.rowlog.engine.replay.SegmentFile;
import dev.rowlog.engine.segment.BatchScanner;

/** Prints what lies in one segment, batch by batch, as it is: uncommitted, control and aborted batches too. */
public final class SegmentDump {
  private static final int READ_BYTES = 256 * 1024;

  /** Gets each batch, and each of its records where it is valid. */
  public interface Visitor {
    void batch(BatchDescription batch);

    /** The fields are valid until it returns. */
    default void record(RecordBatchDecoder current) {}
  }

  private SegmentDump() {}

  /**
   * @param baseOffset names the segment
   * @throws OffsetOutOfRangeException where there is no such segment
   * @throws CorruptLogException where the bytes are no batch, after those before it were shown
   */
  public static void dump(DirectoryReader reader, TopicPartition log, long baseOffset, Visitor visitor) {
    DiskFile file = reader.segments(log).stream()
        .filter(segment -> segment.baseOffset() == baseOffset).map(SegmentFile::file).findFirst()
        .orElseThrow(() -> new OffsetOutOfRangeException(
            "segments of " + log, baseOffset, reader.logStartOffset(log), reader.endOffset(log)));
    long endOffset = reader.endOffset(log);
    RecordBatchDecoder decoder = new RecordBatchDecoder();
    BatchScanner batches = new BatchScanner(file, 0, file.size(), READ_BYTES);
    long nextOffset = baseOffset;
    while (next(batches, nextOffset >= endOffset)) {
      RecordBatch batch = batches.batch();
      nextOffset = batch.nextOffset();
      boolean isValid = isValid(batch, file, batches.position());
      visitor.batch(describe(batch, batches.position(), isValid, batch.lastOffset() < endOffset));
      if (isValid) {
        showRecords(batch, decoder, visitor, file, batches.position());
      }
    }
  }

  /** Behind the committed end a batch may be half written: the dump ends there. */
  private static boolean next(BatchScanner batches, boolean isBehindEnd) {
    try {
      return batches.next();
    } catch (CorruptLogException e) {
      if (isBehindEnd) {
        return false;
      }
      throw e;
    }
  }

  private static void showRecords(
      RecordBatch batch, RecordBatchDecoder decoder, Visitor visitor, DiskFile file, long position) {
    try {
      decoder.open(batch);
      while (decoder.next()) {
        visitor.record(decoder);
      }
    } catch (InvalidRecordException e) {
      throw new CorruptLogException(file.path(), position, e.getMessage(), e);
    }
  }

  private static boolean isValid(RecordBatch batch, DiskFile file, long position) {
    try {
      batch.ensureValid(file.path(), position);
      return true;
    } catch (CorruptLogException e) {
      return false;
    }
  }

  private static BatchDescription describe(RecordBatch batch, long position, boolean isValid, boolean isCommitted) {
    BatchAttributes attributes = batch.attributes();
    return new BatchDescription(
        position, batch.sizeBytes(), batch.baseOffset(), batch.lastOffset(), batch.recordCount(),
        attributes.compression(),
        batch.baseTimestamp(), batch.maxTimestamp(), batch.producerId(), batch.producerEpoch(), batch.baseSequence(),
        batch.partitionLeaderEpoch(), attributes.isTransactional(), attributes.isControl(),
        attributes.hasDeleteHorizon(),
        batch.storedCrc(), isValid, isCommitted);
  }
}
