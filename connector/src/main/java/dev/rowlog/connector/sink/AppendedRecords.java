package dev.rowlog.connector.sink;

import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.SegmentList;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchDecoder;
import dev.rowlog.engine.segment.BatchScanner;
import dev.rowlog.engine.segment.Segment;
import java.util.List;

/** Reads a log with what is not committed yet, which no cursor shows. The thread that appends. */
final class AppendedRecords {
  private static final int SCAN_BYTES = 1 << 20;

  private AppendedRecords() {}

  /** Takes a record. */
  interface Visitor {
    /**
     * @param record positioned on the record, reused for the next
     * @return false to end the scan
     */
    boolean visit(RecordBatchDecoder record);
  }

  /**
   * In the order of offsets, from the first record at or beyond {@code from}. The visitor may append: what lies at or beyond {@code end} is not read.
   *
   * @param end exclusive
   */
  static void scan(PartitionLog log, long from, long end, Visitor visitor) {
    List<Segment> segments = retained(log, from);
    try {
      BatchScanner scanner = new BatchScanner(segments.get(0).logFile(), 0, 0, SCAN_BYTES);
      RecordBatchDecoder decoder = new RecordBatchDecoder();
      for (Segment segment : segments) {
        long start = segment.baseOffset() < from ? segment.floorPosition(from) : 0;
        scanner.reset(segment.logFile(), start, segment.sizeBytes());
        while (scanner.next()) {
          RecordBatch batch = scanner.batch();
          if (batch.baseOffset() >= end) {
            return;
          }
          if (batch.lastOffset() >= from) {
            batch.ensureValid(segment.logPath(), scanner.position());
            decoder.open(batch);
            if (!visit(decoder, from, end, visitor)) {
              return;
            }
          }
        }
      }
    } finally {
      segments.forEach(Segment::release);
    }
  }

  private static boolean visit(RecordBatchDecoder decoder, long from, long end, Visitor visitor) {
    while (decoder.next()) {
      if (decoder.offset() >= from && decoder.offset() < end && !visitor.visit(decoder)) {
        return false;
      }
    }
    return true;
  }

  /** A segment that a cleaning has just let go makes us take the new list. */
  private static List<Segment> retained(PartitionLog log, long from) {
    while (true) {
      SegmentList list = log.segments();
      List<Segment> all = list.all();
      List<Segment> segments = all.subList(list.floorIndex(from), all.size());
      int held = 0;
      while (held < segments.size() && segments.get(held).retain()) {
        held++;
      }
      if (held == segments.size()) {
        return segments;
      }
      segments.subList(0, held).forEach(Segment::release);
    }
  }
}
