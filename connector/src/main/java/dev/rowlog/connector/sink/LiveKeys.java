package dev.rowlog.connector.sink;

import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.record.RecordBatchDecoder;
import java.nio.ByteBuffer;
import java.util.HashSet;
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
    long[] bytes = {0};
    boolean[] fits = {true};
    AppendedRecords.scan(log, 0, endOffset, record -> {
      bytes[0] += apply(record, low, high, live);
      fits[0] = bytes[0] <= budgetBytes || high - low <= 1;
      return fits[0];
    });
    return fits[0];
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
}
