package dev.rowlog.connector.sink;

import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchDecoder;
import dev.rowlog.engine.segment.BatchScanner;
import dev.rowlog.engine.segment.Segment;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The keys of a log whose newest record is no tombstone, uncommitted records included: what a TRUNCATE has to delete
 * (D4).
 *
 * <p>Memory is bounded: keys are taken in ranges of their hash, and a range whose live keys do not fit is halved and
 * read again. One thread, the one that appends.
 */
final class LiveKeys {
  private static final int SCAN_BYTES = 1 << 20;
  /** A set entry, a buffer and an array header beside the key's bytes. */
  private static final int ENTRY_BYTES = 136;
  private static final long HASHES = 1L << 32;

  private final PartitionLog log;
  private final long endOffset;
  private final long budgetBytes;

  private LiveKeys(PartitionLog log, long endOffset, long budgetBytes) {
    this.log = log;
    this.endOffset = endOffset;
    this.budgetBytes = budgetBytes;
  }

  /**
   * Gives each live key once, in no order. The action may append to the log: what lies at or beyond its end now is
   * not read.
   *
   * @param budgetBytes heap that the keys of one range may take
   */
  static void forEach(PartitionLog log, long budgetBytes, Consumer<byte[]> action) {
    new LiveKeys(log, log.logEndOffset(), budgetBytes).forRange(0, HASHES, action);
  }

  private void forRange(long low, long high, Consumer<byte[]> action) {
    Set<ByteBuffer> live = new HashSet<>();
    if (collect(low, high, live)) {
      live.forEach(key -> action.accept(key.array()));
      return;
    }
    live.clear();
    long middle = low + (high - low) / 2;
    forRange(low, middle, action);
    forRange(middle, high, action);
  }

  /** False where the range's keys do not fit. */
  private boolean collect(long low, long high, Set<ByteBuffer> live) {
    List<Segment> segments = retained();
    try {
      BatchScanner scanner = new BatchScanner(segments.get(0).logFile(), 0, 0, SCAN_BYTES);
      RecordBatchDecoder decoder = new RecordBatchDecoder();
      long bytes = 0;
      for (Segment segment : segments) {
        scanner.reset(segment.logFile(), 0, segment.sizeBytes());
        while (scanner.next()) {
          RecordBatch batch = scanner.batch();
          if (batch.baseOffset() >= endOffset) {
            return true;
          }
          batch.ensureValid(segment.logPath(), scanner.position());
          decoder.open(batch);
          while (decoder.next()) {
            bytes += apply(decoder, low, high, live);
          }
          if (bytes > budgetBytes && high - low > 1) {
            return false;
          }
        }
      }
      return true;
    } finally {
      segments.forEach(Segment::release);
    }
  }

  /** Change of the bytes that {@code live} takes. */
  private static long apply(RecordBatchDecoder decoder, long low, long high, Set<ByteBuffer> live) {
    byte[] bytes = new byte[Math.max(0, decoder.keyLength())];
    decoder.data().get(decoder.keyPosition(), bytes);
    ByteBuffer key = ByteBuffer.wrap(bytes);
    long hash = mix(key.hashCode());
    if (hash < low || hash >= high) {
      return 0;
    }
    int cost = ENTRY_BYTES + bytes.length;
    if (decoder.valueLength() < 0) {
      return live.remove(key) ? -cost : 0;
    }
    return live.add(key) ? cost : 0;
  }

  /** Spreads similar keys over all ranges (finalizer of MurmurHash3). */
  private static long mix(int hash) {
    int h = hash;
    h = (h ^ h >>> 16) * 0x85EBCA6B;
    h = (h ^ h >>> 13) * 0xC2B2AE35;
    return (h ^ h >>> 16) & 0xFFFFFFFFL;
  }

  /** A segment that a cleaning has just let go makes us take the new list. */
  private List<Segment> retained() {
    while (true) {
      List<Segment> segments = log.segments().all();
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
