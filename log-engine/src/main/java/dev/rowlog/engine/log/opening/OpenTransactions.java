package dev.rowlog.engine.log.opening;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.log.SegmentList;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchDecoder;
import dev.rowlog.engine.segment.BatchScanner;
import dev.rowlog.engine.segment.Segment;
import dev.rowlog.engine.segment.SegmentFileName;
import dev.rowlog.engine.segment.SegmentFileName.Kind;
import dev.rowlog.engine.segment.SegmentFileName.State;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The transactions that Kafka has left open in a log: from its last producer snapshot, and the batches after it
 * (Kafka {@code ProducerStateManager}). One use, one thread.
 */
public final class OpenTransactions {
  private static final int SCAN_BYTES = 256 * 1024;
  private static final int SNAPSHOT_HEADER_BYTES = 10;
  private static final int SNAPSHOT_ENTRY_BYTES = 46;
  private static final int ENTRY_FIRST_OFFSET = 38;
  private static final short ABORT = 0;
  private static final short COMMIT = 1;

  private final Map<Long, Long> firstOffsets = new HashMap<>();
  private final RecordBatchDecoder decoder = new RecordBatchDecoder();

  private OpenTransactions() {}

  /** First offset of the oldest open transaction; {@link Long#MAX_VALUE} where none is open. */
  public static long firstOffset(Disk disk, Path directory, SegmentList segments) {
    OpenTransactions open = new OpenTransactions();
    long from = open.readSnapshot(disk, directory, segments.active().nextOffset());
    for (Segment segment : segments.all()) {
      if (segment.nextOffset() > from) {
        open.scan(segment, from);
      }
    }
    return open.firstOffsets.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
  }

  /** Takes what the newest snapshot knows; returns its offset, from which batches are to be read. */
  private long readSnapshot(Disk disk, Path directory, long logEnd) {
    Optional<SegmentFileName> newest = disk.list(directory).stream()
        .map(SegmentFileName::parse)
        .flatMap(Optional::stream)
        .filter(
            name -> name.kind() == Kind.PRODUCER_SNAPSHOT && name.state() == State.FINAL && name.baseOffset() <= logEnd)
        .reduce((older, newer) -> newer);
    if (newest.isEmpty()) {
      return 0;
    }
    ByteBuffer bytes = ByteBuffer.wrap(disk.readAll(directory.resolve(newest.get().toString())));
    int entries = (bytes.capacity() - SNAPSHOT_HEADER_BYTES) / SNAPSHOT_ENTRY_BYTES;
    for (int i = 0; i < entries; i++) {
      int start = SNAPSHOT_HEADER_BYTES + i * SNAPSHOT_ENTRY_BYTES;
      long firstOffset = bytes.getLong(start + ENTRY_FIRST_OFFSET);
      if (firstOffset >= 0) {
        firstOffsets.put(bytes.getLong(start), firstOffset);
      }
    }
    return newest.get().baseOffset();
  }

  private void scan(Segment segment, long from) {
    if (!segment.retain()) {
      return;
    }
    try {
      BatchScanner scanner = new BatchScanner(segment.logFile(), segment.floorPosition(from), segment.sizeBytes(),
          SCAN_BYTES);
      while (scanner.next()) {
        if (scanner.batch().lastOffset() >= from) {
          note(scanner.batch());
        }
      }
    } finally {
      segment.release();
    }
  }

  private void note(RecordBatch batch) {
    if (!batch.attributes().isTransactional()) {
      return;
    }
    if (!batch.attributes().isControl()) {
      firstOffsets.putIfAbsent(batch.producerId(), batch.baseOffset());
    } else if (isEndMarker(batch)) {
      firstOffsets.remove(batch.producerId());
    }
  }

  private boolean isEndMarker(RecordBatch batch) {
    decoder.open(batch);
    if (!decoder.next() || decoder.keyLength() < 4) {
      return false;
    }
    short type = decoder.data().getShort(decoder.keyPosition() + Short.BYTES);
    return type == ABORT || type == COMMIT;
  }
}
