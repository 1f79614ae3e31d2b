package dev.rowlog.connector.replay.jsonl;

import dev.rowlog.engine.record.RecordBatchDecoder;
import dev.rowlog.engine.replay.LogCursor;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The offsets of a log whose records are the table: the newest of each key that is not deleted. Exact, whatever keys hash to. One thread.
 *
 * <p>Memory is bounded but for a bit a record: keys are taken in ranges of their hash, and a range that does not fit is halved and the
 * log read again.
 */
final class LiveOffsets {
  private static final int PAGE_BITS = 24;
  private static final long HASHES = 1L << 32;
  /** Map entry, buffer, array header and boxed offset beside the key's bytes. */
  private static final int ENTRY_BYTES = 160;

  private final Supplier<LogCursor> cursors;
  private final long budgetBytes;
  private final Map<Long, BitSet> pages = new TreeMap<>();
  private long count;

  private LiveOffsets(Supplier<LogCursor> cursors, long budgetBytes) {
    this.cursors = cursors;
    this.budgetBytes = budgetBytes;
  }

  /**
   * Reads the log at least once.
   *
   * @param cursors each from the log's start to the same end
   * @param budgetBytes heap that the keys of one range may take
   */
  static LiveOffsets of(Supplier<LogCursor> cursors, long budgetBytes) {
    LiveOffsets live = new LiveOffsets(cursors, budgetBytes);
    live.collect(0, HASHES);
    return live;
  }

  boolean contains(long offset) {
    BitSet page = pages.get(offset >> PAGE_BITS);
    return page != null && page.get((int) (offset & (1 << PAGE_BITS) - 1));
  }

  /** How many rows the table has. */
  long count() {
    return count;
  }

  private void collect(long low, long high) {
    Map<ByteBuffer, Long> newest = new HashMap<>();
    if (scan(low, high, newest)) {
      newest.values().forEach(offset -> pages.computeIfAbsent(offset >> PAGE_BITS, page -> new BitSet())
          .set((int) (offset & (1 << PAGE_BITS) - 1)));
      count += newest.size();
      return;
    }
    newest.clear();
    long middle = low + (high - low) / 2;
    collect(low, middle);
    collect(middle, high);
  }

  /** False where the range's keys do not fit. */
  private boolean scan(long low, long high, Map<ByteBuffer, Long> newest) {
    long bytes = 0;
    try (LogCursor cursor = cursors.get()) {
      while (cursor.next()) {
        RecordBatchDecoder current = cursor.current();
        byte[] key = new byte[Math.max(0, current.keyLength())];
        current.data().get(current.keyPosition(), key);
        ByteBuffer wrapped = ByteBuffer.wrap(key);
        long hash = mix(wrapped.hashCode());
        if (hash < low || hash >= high) {
          continue;
        }
        if (current.valueLength() < 0) {
          bytes -= newest.remove(wrapped) == null ? 0 : ENTRY_BYTES + key.length;
        } else {
          bytes += newest.put(wrapped, current.offset()) == null ? ENTRY_BYTES + key.length : 0;
        }
        if (bytes > budgetBytes && high - low > 1) {
          return false;
        }
      }
    }
    return true;
  }

  /** Spreads similar keys over all ranges (finalizer of MurmurHash3). */
  private static long mix(int hash) {
    int h = hash;
    h = (h ^ h >>> 16) * 0x85EBCA6B;
    h = (h ^ h >>> 13) * 0xC2B2AE35;
    return (h ^ h >>> 16) & 0xFFFFFFFFL;
  }
}
