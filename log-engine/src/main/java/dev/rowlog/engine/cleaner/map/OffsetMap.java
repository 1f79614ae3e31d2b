package dev.rowlog.engine.cleaner.map;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The newest record of each key in the dirty part of a log: off heap, within a budget, exact. Reused from pass to
 * pass; one thread.
 *
 * <p>Open addressing with linear probing over slots of 32 bytes: 8 bytes of meta data (bit 63: in use; 26 bits of
 * the hash; 5 bits key length; 32 bits ordinal of the key's newest record) and 24 bytes of key, padded with zeros.
 * A longer key lies in a {@link KeyArena} and its slot holds address, length and hash. The hash only finds
 * candidates; keys are equal where their bytes are (Kafka's {@code SkimpyOffsetMap} compares digests). When it is
 * full, known keys go on and the first new one is refused.
 */
public final class OffsetMap {
  public static final int SLOT_BYTES = 32;

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
  private static final int LENGTH_MASK = 31;
  private static final long ORDINAL_MASK = 0xffff_ffffL;

  private static final int WORD0 = 8;
  private static final int WORD1 = 16;
  private static final int WORD2 = 24;

  /** Below this load a probe rarely goes on to a second line; used where the budget allows. */
  private static final double ROOMY_LOAD = 0.5;

  /** What it begins with: 1 MiB. */
  private static final int FIRST_SLOTS = 1 << 15;

  /** Share of the budget kept for long keys where no sign of them was seen. */
  private static final int ARENA_SHARE = 16;

  private final KeyHash keyHash;
  private final long budgetBytes;
  private final double maxLoad;
  private final KeyArena arena = new KeyArena(MAX_SLAB_BYTES);
  private ByteBuffer[] slabs = {};
  private int slots;
  /** Slots that the budget allows, and those that this pass can need. */
  private int affordableSlots;

  private int maxSlots;
  private int limit;
  private int size;

  /** Written only: keeps the loads of {@link #touch} from being optimised away. */
  @SuppressWarnings("UnusedVariable")
  private long sink;

  /**
   * @param keyHash the one of the groups that come
   * @param budgetBytes of slots and long keys together
   * @param maxLoad share of the slots that may be filled, above 0, up to 1
   */
  public OffsetMap(KeyHash keyHash, long budgetBytes, double maxLoad) {
    this.keyHash = keyHash;
    this.budgetBytes = budgetBytes;
    this.maxLoad = maxLoad;
  }

  /**
   * Empties the map for a pass. It starts small, or as large as the last pass left it, and grows with the keys that
   * come.
   *
   * @param maxKeys upper bound of the keys that will come
   * @param meanLongKeyBytes bytes that a key takes in the arena, on average: 0 where keys are short
   */
  public void prepare(long maxKeys, int meanLongKeyBytes) {
    long arenaBytes = meanLongKeyBytes == 0
        ? budgetBytes / ARENA_SHARE
        : (long) (budgetBytes * (meanLongKeyBytes / (meanLongKeyBytes + SLOT_BYTES / maxLoad)));
    long wanted = (long) Math.min(Integer.MAX_VALUE, maxKeys / ROOMY_LOAD) + 2;
    // One key must fit, and one slot stay empty: it ends every probe.
    affordableSlots = (int) Math.max(2, Math.min((budgetBytes - arenaBytes) / SLOT_BYTES, Integer.MAX_VALUE));
    maxSlots = (int) Math.min(affordableSlots, wanted);
    boolean reuses = slots <= maxSlots && slots >= Math.min(maxSlots, FIRST_SLOTS);
    if (reuses) {
      clear();
    } else {
      slabs = allocate(Math.min(maxSlots, FIRST_SLOTS));
    }
    size = 0;
    limit = (int) Math.max(1, Math.min(finalSlots() - 1L, (long) (finalSlots() * maxLoad)));
    arena.clear(Math.max(0, budgetBytes - (long) affordableSlots * SLOT_BYTES));
  }

  private ByteBuffer[] allocate(int newSlots) {
    List<ByteBuffer> fresh = new ArrayList<>();
    for (long left = (long) newSlots * SLOT_BYTES; left > 0; left -= MAX_SLAB_BYTES) {
      fresh.add(ByteBuffer.allocateDirect((int) Math.min(left, MAX_SLAB_BYTES)).order(ByteOrder.nativeOrder()));
    }
    slots = newSlots;
    return fresh.toArray(new ByteBuffer[0]);
  }

  private void clear() {
    for (int slot = 0; slot < slots; slot++) {
      slabs[slot >>> SLOTS_PER_SLAB_SHIFT].putLong((slot & SLOT_IN_SLAB_MASK) << SLOT_SHIFT, 0);
    }
  }

  /** How large the slots can become from where they are, the old ones being there while they move. */
  private int finalSlots() {
    int end = slots;
    for (int next = slotsAfter(end); next > end; next = slotsAfter(end)) {
      end = next;
    }
    return end;
  }

  /** The next size: twice as many, or all that is left where doubling again would not be affordable. */
  private int slotsAfter(int now) {
    long doubled = 2L * now;
    long next = doubled > affordableSlots / 4 ? (long) affordableSlots - now : doubled;
    return (int) Math.max(now, Math.min(next, maxSlots));
  }

  private void growFor(KeyGroup group) {
    if (size + group.size() <= slots * ROOMY_LOAD) {
      return;
    }
    int next = slotsAfter(slots);
    if (next == slots) {
      return;
    }
    ByteBuffer[] old = slabs;
    int oldSlots = slots;
    slabs = allocate(next);
    for (int slot = 0; slot < oldSlots; slot++) {
      ByteBuffer slab = old[slot >>> SLOTS_PER_SLAB_SHIFT];
      int at = (slot & SLOT_IN_SLAB_MASK) << SLOT_SHIFT;
      if (slab.getLong(at) != 0) {
        move(slab, at);
      }
    }
  }

  private void move(ByteBuffer from, int at) {
    long meta = from.getLong(at);
    int length = (int) (meta >>> LENGTH_SHIFT) & LENGTH_MASK;
    long word2 = from.getLong(at + WORD2);
    // A long key's slot holds its hash; a short one is hashed again.
    long hash = length == KeyGroup.LONG_KEY
        ? word2
        : keyHash.hash(from.getLong(at + WORD0), from.getLong(at + WORD1), word2, length);
    int slot = slotOf(hash);
    while (true) {
      ByteBuffer slab = slabs[slot >>> SLOTS_PER_SLAB_SHIFT];
      int to = (slot & SLOT_IN_SLAB_MASK) << SLOT_SHIFT;
      if (slab.getLong(to) == 0) {
        slab.put(to, from, at, SLOT_BYTES);
        return;
      }
      slot = slot + 1 == slots ? 0 : slot + 1;
    }
  }

  private int slotOf(long hash) {
    return (int) ((hash >>> 32) * slots >>> 32);
  }

  /** Keys in the map. */
  public int size() {
    return size;
  }

  /** Keys that the map takes; long ones may fill it earlier. */
  public int limit() {
    return limit;
  }

  /** Filled share of what it takes, 0 to 1. */
  public double use() {
    return limit == 0 ? 0 : (double) size / limit;
  }

  /** Bytes off heap that it holds now. */
  public long allocatedBytes() {
    return (long) slots * SLOT_BYTES + arena.allocatedBytes();
  }

  /**
   * Notes the group's records as the newest of their keys, in order; an older record of a key loses its bit.
   *
   * @return how many were taken: all, or the index of the first new key for which there is no room
   */
  public int put(KeyGroup group, SurvivorBits survivors) {
    growFor(group);
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
  public long find(KeyGroup group) {
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

  /**
   * Loads every slot before any is worked on: the misses overlap. Without it a pass takes 1.3 times as long, one by
   * one 2.5 times.
   */
  private void touch(KeyGroup group) {
    int count = group.size();
    // Apart from the loads: the less stands between two of them, the more are on their way at once.
    for (int i = 0; i < count; i++) {
      group.slot[i] = slotOf(group.hash[i]);
    }
    sink += slabs.length == 1 ? load(slabs[0], group.slot, count) : loadFromSlabs(group.slot, count);
  }

  private static long load(ByteBuffer slab, int[] slot, int count) {
    long loaded = 0;
    for (int i = 0; i < count; i++) {
      loaded += slab.getLong(slot[i] << SLOT_SHIFT);
    }
    return loaded;
  }

  private long loadFromSlabs(int[] slot, int count) {
    long loaded = 0;
    for (int i = 0; i < count; i++) {
      loaded += slabs[slot[i] >>> SLOTS_PER_SLAB_SHIFT].getLong((slot[i] & SLOT_IN_SLAB_MASK) << SLOT_SHIFT);
    }
    return loaded;
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
