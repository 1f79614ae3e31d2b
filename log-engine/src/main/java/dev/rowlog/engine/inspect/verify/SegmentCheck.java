package dev.rowlog.engine.inspect.verify;

import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchDecoder;
import dev.rowlog.engine.replay.DirectoryReader;
import dev.rowlog.engine.replay.SegmentFile;
import dev.rowlog.engine.segment.BatchScanner;
import java.util.ArrayList;
import java.util.List;

/**
 * Walks one {@code .log}: every batch up to the committed end must be whole, in order and decodable; what lies beyond may be half written.
 * One thread, once.
 */
final class SegmentCheck {
  private static final int READ_BYTES = 256 * 1024;

  /** What all segments of a log add up to. */
  static final class Totals {
    long batches;
    long records;
    long sizeBytes;
    long nextOffset;
  }

  private final DirectoryReader reader;
  private final TopicPartition log;
  private final DiskFile file;
  private final long baseOffset;
  private final long limitOffset;
  private final UniqueKeys unique;
  private final Totals totals;
  private final List<Finding> findings;
  private final List<IndexCheck.Batch> batches = new ArrayList<>();
  private final RecordBatchDecoder decoder = new RecordBatchDecoder();

  /**
   * @param limitOffset base of the next segment
   */
  SegmentCheck(
      DirectoryReader reader, TopicPartition log, SegmentFile segment, long limitOffset, UniqueKeys unique,
      Totals totals,
      List<Finding> findings) {
    this.reader = reader;
    this.log = log;
    this.file = segment.file();
    this.baseOffset = segment.baseOffset();
    this.limitOffset = limitOffset;
    this.unique = unique;
    this.totals = totals;
    this.findings = findings;
    totals.nextOffset = Math.max(totals.nextOffset, segment.baseOffset());
  }

  /** The batches that were seen, for the indexes to be held against. */
  List<IndexCheck.Batch> batches() {
    return batches;
  }

  void run() {
    long size = file.size();
    totals.sizeBytes += size;
    BatchScanner scanner = new BatchScanner(file, 0, size, READ_BYTES);
    long endOffset = reader.endOffset(log);
    long position = 0;
    try {
      while (totals.nextOffset < Math.min(endOffset, limitOffset) && scanner.next()) {
        position = scanner.position();
        RecordBatch batch = scanner.batch();
        if (batch.baseOffset() >= endOffset && batch.baseOffset() < limitOffset) {
          break;
        }
        batch.ensureValid(file.path(), position);
        check(batch, position);
      }
      ensureReaches(endOffset);
    } catch (CorruptLogException | UnsupportedFormatException | InvalidRecordException e) {
      findings.add(new Finding(file.path(), position, e.getMessage()));
    }
  }

  /** Cleaning may take a segment's last offsets, but never the last one that is committed. */
  private void ensureReaches(long endOffset) {
    if (baseOffset < endOffset && endOffset <= limitOffset && totals.nextOffset < endOffset) {
      findings.add(new Finding(
          file.path(), -1, "the log ends at offset " + totals.nextOffset + ", but it is committed to " + endOffset));
    }
  }

  private void check(RecordBatch batch, long position) {
    if (batch.baseOffset() < totals.nextOffset || batch.lastOffset() >= limitOffset) {
      findings.add(new Finding(
          file.path(), position,
          "offsets " + batch.baseOffset() + " to " + batch.lastOffset() + " are outside " + totals.nextOffset + " to "
              + limitOffset
              + " (exclusive)"));
    }
    totals.batches++;
    totals.nextOffset = Math.max(totals.nextOffset, batch.nextOffset());
    batches.add(new IndexCheck.Batch(position, batch.baseOffset(), batch.lastOffset(), batch.maxTimestamp()));
    decoder.open(batch);
    boolean isRead = !batch.attributes().isControl() && !reader.isAborted(log, batch);
    while (decoder.next()) {
      totals.records++;
      if (isRead) {
        unique.earlier(decoder).ifPresent(earlier -> findings.add(new Finding(
            file.path(), position,
            "the key of offset " + decoder.offset() + " is at offset " + earlier
                + " too, though a complete pass has cleaned both")));
      }
    }
  }
}
