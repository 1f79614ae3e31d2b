package dev.rowlog.engine.cleaner.pass;

import dev.rowlog.engine.log.SegmentList;
import dev.rowlog.engine.record.BatchHeader;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.segment.BatchScanner;
import dev.rowlog.engine.segment.Segment;
import java.util.HashMap;
import java.util.Map;

/**
 * The last batch of each idempotent producer that wrote to a log: its header outlives its records, since Kafka
 * rebuilds sequence numbers from it. Only logs that Kafka wrote have such batches, so the headers are walked when
 * the first one is asked for. One thread.
 */
final class ProducerTails {
  private final SegmentList segments;
  private final int bufferBytes;
  private Map<Long, Long> lastOffsets;

  /**
   * @param segments held by the caller
   */
  ProducerTails(SegmentList segments, int bufferBytes) {
    this.segments = segments;
    this.bufferBytes = bufferBytes;
  }

  boolean isLastOfProducer(RecordBatch batch) {
    long producerId = batch.producerId();
    if (producerId == BatchHeader.NO_PRODUCER_ID) {
      return false;
    }
    if (lastOffsets == null) {
      lastOffsets = walk();
    }
    return batch.lastOffset() >= lastOffsets.getOrDefault(producerId, Long.MIN_VALUE);
  }

  private Map<Long, Long> walk() {
    Map<Long, Long> found = new HashMap<>();
    BatchScanner scanner = null;
    for (Segment segment : segments.all()) {
      if (scanner == null) {
        scanner = new BatchScanner(segment.logFile(), 0, segment.sizeBytes(), bufferBytes);
      } else {
        scanner.reset(segment.logFile(), 0, segment.sizeBytes());
      }
      while (scanner.next()) {
        RecordBatch batch = scanner.batch();
        if (batch.producerId() != BatchHeader.NO_PRODUCER_ID) {
          found.merge(batch.producerId(), batch.lastOffset(), Math::max);
        }
      }
    }
    return found;
  }
}
