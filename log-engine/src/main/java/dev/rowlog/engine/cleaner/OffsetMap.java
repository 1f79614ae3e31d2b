package dev.rowlog.engine.cleaner;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The newest record of each key in the dirty part of a log: off heap, within a budget, exact. Reused from pass to pass; one thread.
 *
 * <p>Open addressing with linear probing over slots of 32 bytes: 8 bytes of meta data (bit 63: in use; 26 bits of the hash; 5 bits key
 * length; 32 bits ordinal of the key's newest record) and 24 bytes of key, padded with zeros. A longer key lies in a {@link KeyArena} and
 * its slot holds address, length and hash. The hash only finds candidates; keys are equal where their bytes are (Kafka's {@code
 * SkimpyOffsetMap} compares digests). When it is full, known keys go on and the first new one is refused.
 */
final class OffsetMap {
  static final int SLOT_BYTES = 32;

  /** Direct buffers are no larger, and a slot never crosses two. */
  private static final int MAX_SLAB_BYTES = 1 << 30;

  private static final int SLOTS_PER_SLAB_SHIFT = Integer.numberOfTrailingZeros(MAX_SLAB_BYTES / SLOT_BYTES);
  private static final int SLOT_IN_SLAB_MASK = (1 << SLOTS_PER_SLAB_SHIFT) - 1;
  private static final int SLOT_SHIFT = Integer.numberOfTrailingZeros(SLOT_BYTES);

  private static final long IN_USE = 1L << 63;
  private static final int TAG_BITS = 26;
  private static final int TAG_SHIFT = 37;
  private static final long TAG_MASK = (1L << TAG_BITS) - 1;
  private static final int LENGTH_SHIFT = 32;
  private static final long ORDINAL_MASK = 0xffff_ffffL;

  private static final int WORD0 = 8;
  private static final int WORD1 = 16;
  private static final int WORD2 = 24;

  /** Below this load a probe rarely goes on to a second line; used where the budget allows. */
  private static final double ROOMY_LOAD = 0.5;

  /** Share of the budget kept for long keys where no sign of them was seen. */
  private static final int ARENA_SHARE = 16;

  private final long budgetBytes;
  private final double maxLoad;
  private final KeyArena arena = new KeyArena(MAX_SLAB_BYTES);
  private ByteBuffer[] slabs = {};
  private int allocatedSlots;
  private int slots;
  private int limit;
  private int size;

  /** Written only: keeps the loads of {@link #touch} from being optimised away. */
  @SuppressWarnings("UnusedVariable")
  private long sink;

  /**
   * @param budgetBytes of slots and long keys together
   * @param maxLoad share of the slots that may be filled, above 0, up to 1
   */
  OffsetMap(long budgetBytes, double maxLoad) {
    this.budgetBytes = budgetBytes;
    this.maxLoad = maxLoad;
  }

  /**
   * Empties the map and sizes it for a pass.
   *
   * @param maxKeys upper bound of the keys that will come
   * @param meanLongKeyBytes bytes that a key takes in the arena, on average: 0 where keys are short
   */
  void prepare(long maxKeys, int meanLongKeyBytes) {
    long arenaBytes = meanLongKeyBytes == 0
        ? budgetBytes / ARENA_SHARE
        : (long) (budgetBytes * (meanLongKeyBytes / (meanLongKeyBytes + SLOT_BYTES / maxLoad)));
    long affordable = (budgetBytes - arenaBytes) / SLOT_BYTES;
    long wanted = (long) Math.min(Integer.MAX_VALUE, maxKeys / ROOMY_LOAD) + 2;
    // One key must fit, and one slot stay empty: it ends every probe.
    slots = (int) Math.max(2, Math.min(Math.min(affordable, wanted), Integer.MAX_VALUE));
    limit = (int) Math.max(1, Math.min(slots - 1, (long) (slots * maxLoad)));
    size = 0;
    allocateSlots(arenaBytes);
    arena.clear(Math.max(0, budgetBytes - (long) allocatedSlots * SLOT_BYTES));
  }

  private void allocateSlots(long arenaBytes) {
    // A map that is much too large, or leaves long keys no room, is given back: memory follows need.
    boolean crowdsArena = budgetBytes - (long) allocatedSlots * SLOT_BYTES < arenaBytes && allocatedSlots > slots;
    if (slots > allocatedSlots || allocatedSlots / 4 > slots || crowdsArena) {
      slabs = new ByteBuffer[0];
      List<ByteBuffer> fresh = new ArrayList<>();
      for (long left = (long) slots * SLOT_BYTES; left > 0; left -= MAX_SLAB_BYTES) {
        fresh.add(ByteBuffer.allocateDirect((int) Math.min(left, MAX_SLAB_BYTES)).order(ByteOrder.nativeOrder()));
      }
      slabs = fresh.toArray(new ByteBuffer[0]);
      allocatedSlots = slots;
    } else {
      for (int slot = 0; slot < slots; slot++) {
        slabs[slot >>> SLOTS_PER_SLAB_SHIFT].putLong((slot & SLOT_IN_SLAB_MASK) << SLOT_SHIFT, 0);
      }
    }
  }

  /** Keys in the map. */
  int size() {
    return size;
  }

  /** Keys that the map takes; long ones may fill it earlier. */
  int limit() {
    return limit;
  }

  /** Filled share of what it takes, 0 to 1. */
  double use() {
    return limit == 0 ? 0 : (double) size / limit;
  }

  /** Bytes off heap that it holds now. */
  long allocatedBytes() {
    return (long) allocatedSlots * SLOT_BYTES + arena.allocatedBytes();
  }

  /**
   * Notes the group's records as the newest of their keys, in order; an older record of a key loses its bit.
   *
   * @return how many were taken: all, or the index of the first new key for which there is no room
   */
  int put(KeyGroup group, SurvivorBits survivors) {
    touch(group);
    int count = group.size();
    for (int i = 0; i < count; i++) {
      long wanted = meta(group, i);
      int slot = group.slot[i];
      while (true) {
        ByteBuffer slab = slabs[slot >>> SLOTS_PER_SLAB_SHIFT];
        int at = (slot & SLOT_IN_SLAB_MASK) << SLOT_SHIFT;
        long found = slab.getLong(at);
        if (found == 0) {
          if (!insert(slab, at, wanted, group, i)) {
            return i;
          }
          break;
        }
        if ((found ^ wanted) >>> LENGTH_SHIFT == 0 && matches(slab, at, group, i)) {
          survivors.clear((int) found);
          slab.putLong(at, wanted);
          break;
        }
        slot = slot + 1 == slots ? 0 : slot + 1;
      }
    }
    return count;
  }

  /** Whether each of the group's keys is in the map: bit i for entry i. */
  long find(KeyGroup group) {
    touch(group);
    long hits = 0;
    int count = group.size();
    for (int i = 0; i < count; i++) {
      long wanted = meta(group, i);
      int slot = group.slot[i];
      while (true) {
        ByteBuffer slab = slabs[slot >>> SLOTS_PER_SLAB_SHIFT];
        int at = (slot & SLOT_IN_SLAB_MASK) << SLOT_SHIFT;
        long found = slab.getLong(at);
        if (found == 0) {
          break;
        }
        if ((found ^ wanted) >>> LENGTH_SHIFT == 0 && matches(slab, at, group, i)) {
          hits |= 1L << i;
          break;
        }
        slot = slot + 1 == slots ? 0 : slot + 1;
      }
    }
    return hits;
  }

  /** Loads every slot before any is worked on: the misses overlap. Without it a pass takes 1.3 times as long, one by one 2.5 times. */
  private void touch(KeyGroup group) {
    int count = group.size();
    long loaded = 0;
    for (int i = 0; i < count; i++) {
      int slot = (int) ((group.hash[i] >>> 32) * slots >>> 32);
      group.slot[i] = slot;
      loaded += slabs[slot >>> SLOTS_PER_SLAB_SHIFT].getLong((slot & SLOT_IN_SLAB_MASK) << SLOT_SHIFT);
    }
    sink += loaded;
  }

  private static long meta(KeyGroup group, int i) {
    return IN_USE
        | (group.hash[i] & TAG_MASK) << TAG_SHIFT
        | (long) group.length[i] << LENGTH_SHIFT
        | group.ordinal[i] & ORDINAL_MASK;
  }

  private boolean insert(ByteBuffer slab, int at, long meta, KeyGroup group, int i) {
    if (size == limit) {
      return false;
    }
    long word0 = group.word0[i];
    if (group.length[i] == KeyGroup.LONG_KEY) {
      word0 = arena.add(group.data(), group.position[i], (int) group.word1[i], size == 0);
      if (word0 < 0) {
        return false;
      }
    }
    slab.putLong(at + WORD0, word0);
    slab.putLong(at + WORD1, group.word1[i]);
    slab.putLong(at + WORD2, group.word2[i]);
    slab.putLong(at, meta);
    size++;
    return true;
  }

  private boolean matches(ByteBuffer slab, int at, KeyGroup group, int i) {
    if (slab.getLong(at + WORD1) != group.word1[i] || slab.getLong(at + WORD2) != group.word2[i]) {
      return false;
    }
    long word0 = slab.getLong(at + WORD0);
    return group.length[i] == KeyGroup.LONG_KEY
        ? arena.matches(word0, group.data(), group.position[i], (int) group.word1[i])
        : word0 == group.word0[i];
  }
}
