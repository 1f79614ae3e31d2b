package dev.rowlog.connector.sink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Offsets by the 64-bit hash of a key, off heap: open addressing in slots of 16 bytes, between a half and three quarters full, so at most 32 bytes a key
 * (while it grows, the old table beside). Two keys of one hash share an entry: whoever reads the record compares the key. One thread.
 */
final class KeyOffsets {
  static final long NONE = -1;

  private static final int SLOT_BYTES = 16;
  private static final int SLAB_SLOTS = 1 << 26;
  private static final long FIRST_CAPACITY = 1 << 10;
  /** Marks a free slot; no hash is it. */
  private static final long FREE = 0;

  private List<ByteBuffer> slabs = allocate(FIRST_CAPACITY);
  private long capacity = FIRST_CAPACITY;
  private long size;

  private static List<ByteBuffer> allocate(long slots) {
    List<ByteBuffer> slabs = new ArrayList<>();
    for (long left = slots; left > 0; left -= SLAB_SLOTS) {
      slabs
          .add(ByteBuffer.allocateDirect((int) Math.min(left, SLAB_SLOTS) * SLOT_BYTES).order(ByteOrder.nativeOrder()));
    }
    return slabs;
  }

  long size() {
    return size;
  }

  /** Bytes that the table takes. */
  long sizeBytes() {
    return capacity * SLOT_BYTES;
  }

  /** {@link #NONE} where the hash has none. */
  long get(long hash) {
    long slot = find(hash);
    return hashAt(slot) == FREE ? NONE : offsetAt(slot);
  }

  /**
   * @throws OutOfMemoryError where no more direct memory is to be had; what was put stays
   */
  void put(long hash, long offset) {
    if (hash == FREE) {
      throw new IllegalArgumentException("no key may have the hash " + FREE);
    }
    long slot = find(hash);
    if (hashAt(slot) == FREE) {
      if ((size + 1) * 4 > capacity * 3) {
        grow();
        slot = find(hash);
      }
      size++;
    }
    set(slot, hash, offset);
  }

  void remove(long hash) {
    long hole = find(hash);
    if (hashAt(hole) == FREE) {
      return;
    }
    size--;
    // What follows moves up where the hole lies on its way (backward shift): no slot is ever a grave.
    for (long next = after(hole); hashAt(next) != FREE; next = after(next)) {
      long home = home(hashAt(next));
      boolean onItsWay = hole <= next ? home <= hole || home > next : home <= hole && home > next;
      if (onItsWay) {
        set(hole, hashAt(next), offsetAt(next));
        hole = next;
      }
    }
    set(hole, FREE, 0);
  }

  private void grow() {
    List<ByteBuffer> before = slabs;
    long slots = capacity;
    long grown = capacity + capacity / 2;
    slabs = allocate(grown);
    capacity = grown;
    for (long i = 0; i < slots; i++) {
      ByteBuffer slab = before.get((int) (i / SLAB_SLOTS));
      int at = (int) (i % SLAB_SLOTS) * SLOT_BYTES;
      long hash = slab.getLong(at);
      if (hash != FREE) {
        set(find(hash), hash, slab.getLong(at + 8));
      }
    }
  }

  /** The slot that holds the hash, else the free one that would. */
  private long find(long hash) {
    long slot = home(hash);
    while (hashAt(slot) != hash && hashAt(slot) != FREE) {
      slot = after(slot);
    }
    return slot;
  }

  private long home(long hash) {
    long high = Math.multiplyHigh(hash, capacity);
    // As if the hash had no sign.
    return hash < 0 ? high + capacity : high;
  }

  private long after(long slot) {
    return slot + 1 == capacity ? 0 : slot + 1;
  }

  private long hashAt(long slot) {
    return slabs.get((int) (slot / SLAB_SLOTS)).getLong((int) (slot % SLAB_SLOTS) * SLOT_BYTES);
  }

  private long offsetAt(long slot) {
    return slabs.get((int) (slot / SLAB_SLOTS)).getLong((int) (slot % SLAB_SLOTS) * SLOT_BYTES + 8);
  }

  private void set(long slot, long hash, long offset) {
    ByteBuffer slab = slabs.get((int) (slot / SLAB_SLOTS));
    int at = (int) (slot % SLAB_SLOTS) * SLOT_BYTES;
    slab.putLong(at, hash);
    slab.putLong(at + 8, offset);
  }
}
