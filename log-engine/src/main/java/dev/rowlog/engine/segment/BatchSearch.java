package dev.rowlog.engine.segment;

import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.record.RecordBatchLayout;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Looks for valid batches among bytes where the chain of lengths is broken: at every byte, and what looks like a
 * header must have a valid CRC. Tells a torn tail from a bad spot that good records follow. Reads only; one thread.
 */
final class BatchSearch {
  private static final int WINDOW_BYTES = 1024 * 1024;

  private final DiskFile file;
  private final long end;
  private final ByteBuffer window;
  private final ByteBuffer crcBuffer = ByteBuffer.allocateDirect(64 * 1024);
  private long windowPosition;

  private BatchSearch(DiskFile file, long from, long end) {
    this.file = file;
    this.end = end;
    this.window = ByteBuffer.allocateDirect((int) Math.max(1, Math.min(WINDOW_BYTES, end - from))).limit(0);
  }

  /**
   * Next offset of the valid batch that lies last in the range. Not the largest: an offset is outside of the CRC.
   *
   * @param nextOffset offsets below are not looked for: they are there already
   */
  static Optional<Long> lastNextOffset(DiskFile file, long from, long end, long nextOffset) {
    BatchSearch search = new BatchSearch(file, from, end);
    Optional<Long> found = Optional.empty();
    long at = from;
    while (at + RecordBatchLayout.HEADER_SIZE <= end) {
      long size = search.validBatchSize(at, nextOffset);
      if (size > 0) {
        found = Optional.of(search.nextOffset(at));
        at += size;
      } else {
        at++;
      }
    }
    return found;
  }

  private long nextOffset(long at) {
    int start = buffered(at);
    return window.getLong(start + RecordBatchLayout.BASE_OFFSET)
        + window.getInt(start + RecordBatchLayout.LAST_OFFSET_DELTA) + 1;
  }

  /** Bytes of the valid batch at this position; 0 where there is none. */
  private long validBatchSize(long at, long lowestOffset) {
    int start = buffered(at);
    if (window.get(start + RecordBatchLayout.MAGIC) != RecordBatchLayout.MAGIC_V2) {
      return 0;
    }
    long size = window.getInt(start + RecordBatchLayout.BATCH_LENGTH) + (long) RecordBatchLayout.LOG_OVERHEAD;
    long baseOffset = window.getLong(start + RecordBatchLayout.BASE_OFFSET);
    int lastOffsetDelta = window.getInt(start + RecordBatchLayout.LAST_OFFSET_DELTA);
    boolean isPlausible = size >= RecordBatchLayout.HEADER_SIZE && size <= end - at && baseOffset >= lowestOffset
        && baseOffset - lowestOffset <= Integer.MAX_VALUE && lastOffsetDelta >= 0;
    return isPlausible && window.getInt(start + RecordBatchLayout.CRC) == crc(at, size) ? size : 0;
  }

  /** Where the header at this position lies in the window. */
  private int buffered(long at) {
    boolean isInside = at >= windowPosition && at + RecordBatchLayout.HEADER_SIZE <= windowPosition + window.limit();
    if (!isInside) {
      window.clear().limit((int) Math.min(window.capacity(), end - at));
      file.read(window, at);
      window.flip();
      windowPosition = at;
    }
    return (int) (at - windowPosition);
  }

  private int crc(long at, long size) {
    CRC32C crc = new CRC32C();
    long next = at + RecordBatchLayout.ATTRIBUTES;
    while (next < at + size) {
      crcBuffer.clear().limit((int) Math.min(crcBuffer.capacity(), at + size - next));
      int count = file.read(crcBuffer, next);
      if (count == 0) {
        break;
      }
      crc.update(crcBuffer.flip());
      next += count;
    }
    return (int) crc.getValue();
  }
}
