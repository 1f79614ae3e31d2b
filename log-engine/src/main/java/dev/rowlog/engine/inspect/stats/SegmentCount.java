package dev.rowlog.engine.inspect.stats;

import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchDecoder;
import dev.rowlog.engine.replay.DirectoryReader;
import dev.rowlog.engine.replay.SegmentFile;
import dev.rowlog.engine.segment.BatchScanner;

/**
 * What a scan counts in one segment, up to the high watermark. One thread.
 */
final class SegmentCount {
  private static final int READ_BYTES = 256 * 1024;

  final long baseOffset;
  final long sizeBytes;
  long nextOffset;
  long batches;
  long records;
  long tombstones;
  long live;
  long firstTimestamp = -1;
  long lastTimestamp = -1;

  private SegmentCount(long baseOffset, long sizeBytes) {
    this.baseOffset = baseOffset;
    this.nextOffset = baseOffset;
    this.sizeBytes = sizeBytes;
  }

  static SegmentCount of(DirectoryReader reader, TopicPartition log, SegmentFile segment, NewestOffsets newest) {
    DiskFile file = segment.file();
    SegmentCount count = new SegmentCount(segment.baseOffset(), file.size());
    long endOffset = reader.endOffset(log);
    RecordBatchDecoder decoder = new RecordBatchDecoder();
    BatchScanner scanner = new BatchScanner(file, 0, count.sizeBytes, READ_BYTES);
    while (count.nextOffset < endOffset && scanner.next()) {
      RecordBatch batch = scanner.batch();
      if (batch.baseOffset() >= endOffset) {
        break;
      }
      batch.ensureValid(file.path(), scanner.position());
      count.nextOffset = batch.nextOffset();
      count.batches++;
      if (!batch.attributes().isControl() && !reader.isAborted(log, batch)) {
        try {
          decoder.open(batch);
          count.add(decoder, newest);
        } catch (InvalidRecordException e) {
          throw new CorruptLogException(file.path(), scanner.position(), e.getMessage(), e);
        }
      }
    }
    return count;
  }

  private void add(RecordBatchDecoder decoder, NewestOffsets newest) {
    while (decoder.next()) {
      records++;
      if (decoder.valueLength() < 0) {
        tombstones++;
      }
      if (firstTimestamp < 0) {
        firstTimestamp = decoder.timestamp();
      }
      lastTimestamp = Math.max(lastTimestamp, decoder.timestamp());
      if (decoder.keyLength() >= 0) {
        newest.put(decoder.data(), decoder.keyPosition(), decoder.keyLength(), decoder.offset());
      }
    }
  }
}
