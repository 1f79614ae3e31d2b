package dev.rowlog.engine.cleaner.io;

import dev.rowlog.engine.cleaner.plan.RetentionRule;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.record.BatchAttributes;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchDecoder;
import dev.rowlog.engine.segment.BatchScanner;
import dev.rowlog.engine.segment.Segment;
import java.nio.file.Path;

/**
 * The batches of one segment after another, each with its CRC checked before anything is concluded from it. Reused;
 * one thread.
 */
public final class CheckedBatches {
  private final int bufferBytes;
  private final RecordBatchDecoder decoder = new RecordBatchDecoder();
  private BatchScanner scanner;
  private Path path;
  private PassIo io;
  private long nextOffset;
  private long endOffset;

  /**
   * @param bufferBytes size of each read
   */
  public CheckedBatches(int bufferBytes) {
    this.bufferBytes = bufferBytes;
  }

  /** Starts at the batch at that byte position. */
  public void open(Segment segment, long position, PassIo io) {
    this.path = segment.logPath();
    this.endOffset = segment.nextOffset();
    this.io = io;
    this.nextOffset = segment.baseOffset();
    if (scanner == null) {
      scanner = new BatchScanner(segment.logFile(), position, segment.sizeBytes(), bufferBytes);
    } else {
      scanner.reset(segment.logFile(), position, segment.sizeBytes());
    }
  }

  /**
   * Moves to the next batch; false at the end of the segment.
   *
   * @throws CorruptLogException where its bytes are not those that were written
   */
  public boolean next() {
    if (!scanner.next()) {
      return false;
    }
    RecordBatch batch = scanner.batch();
    batch.ensureValid(path, scanner.position());
    ensureInOrder(batch);
    io.read(batch.sizeBytes());
    return true;
  }

  /** The CRC does not cover the base offset: what it says must fit the batches before and the end of the segment. */
  private void ensureInOrder(RecordBatch batch) {
    if (batch.baseOffset() < nextOffset || batch.nextOffset() > endOffset) {
      throw new CorruptLogException(
          path,
          scanner.position(),
          "a batch of offsets " + batch.baseOffset() + " to " + batch.lastOffset() + ", expected them within "
              + nextOffset + " and "
              + endOffset + " (exclusive)");
    }
    nextOffset = batch.nextOffset();
  }

  /** The current batch, valid until {@link #next}. */
  public RecordBatch batch() {
    return scanner.batch();
  }

  /** Whether the current batch belongs to a transaction or marks its end. */
  public boolean isTransactional() {
    return (scanner.batch().attributeBits() & (BatchAttributes.TRANSACTIONAL | BatchAttributes.CONTROL)) != 0;
  }

  /** The delete horizon of the current batch, or {@link RetentionRule#NO_HORIZON}. */
  public long horizonMs() {
    return (scanner.batch().attributeBits() & BatchAttributes.DELETE_HORIZON) != 0
        ? scanner.batch().baseTimestamp()
        : RetentionRule.NO_HORIZON;
  }

  /** The records of the current batch, from the first. */
  public RecordBatchDecoder records() {
    decoder.open(scanner.batch());
    return decoder;
  }

  /** What a record that does not decode means: the CRC is right and still the bytes are no batch. */
  public CorruptLogException corrupt(InvalidRecordException cause) {
    return new CorruptLogException(path, scanner.position(), cause.getMessage(), cause);
  }
}
