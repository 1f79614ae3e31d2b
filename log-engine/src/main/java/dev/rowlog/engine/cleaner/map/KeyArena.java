package dev.rowlog.engine.cleaner.map;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes of the keys that are too long for a map slot, off heap, in slabs that are allocated as they are needed. One
 * thread.
 *
 * <p>An address is the slab's number in the upper and the position in the lower 32 bits. A key never crosses slabs.
 */
final class KeyArena {
  private static final int FIRST_SLAB_BYTES = 64 << 10;

  private final int maxSlabBytes;
  private final List<ByteBuffer> slabs = new ArrayList<>();
  private long budgetBytes;
  private long allocatedBytes;
  private int current;

  KeyArena(int maxSlabBytes) {
    this.maxSlabBytes = maxSlabBytes;
  }

  /** Forgets every key; keeps slabs within the new budget for reuse. */
  void clear(long budgetBytes) {
    this.budgetBytes = budgetBytes;
    current = 0;
    while (allocatedBytes > budgetBytes && !slabs.isEmpty()) {
      allocatedBytes -= slabs.remove(slabs.size() - 1).capacity();
    }
    slabs.forEach(ByteBuffer::clear);
  }

  /**
   * Copies a key; its address, or -1 where the budget is used up.
   *
   * @param mustFit true to go beyond the budget rather than refuse: the first key of a map, without which no pass
   *     would get on
   */
  long add(ByteBuffer data, int position, int length, boolean mustFit) {
    while (current < slabs.size() && slabs.get(current).remaining() < length) {
      current++;
    }
    if (current == slabs.size() && !allocate(length, mustFit)) {
      return -1;
    }
    ByteBuffer slab = slabs.get(current);
    int at = slab.position();
    slab.put(at, data, position, length);
    slab.position(at + length);
    return (long) current << Integer.SIZE | at;
  }

  private boolean allocate(int length, boolean mustFit) {
    long wanted = Math.max(length, Math.min(maxSlabBytes, Math.max(FIRST_SLAB_BYTES, allocatedBytes)));
    long left = budgetBytes - allocatedBytes;
    long bytes = Math.min(wanted, Math.max(left, 0));
    if (bytes < length) {
      if (!mustFit) {
        current = Math.max(0, slabs.size() - 1);
        return false;
      }
      bytes = length;
    }
    slabs.add(ByteBuffer.allocateDirect((int) bytes));
    allocatedBytes += bytes;
    return true;
  }

  /** Whether the key at that address has exactly these bytes; {@code length} is above 8 and the same for both. */
  boolean matches(long address, ByteBuffer data, int position, int length) {
    ByteBuffer slab = slabs.get((int) (address >>> Integer.SIZE));
    int at = (int) address;
    int last = length - Long.BYTES;
    for (int i = 0; i < last; i += Long.BYTES) {
      if (slab.getLong(at + i) != data.getLong(position + i)) {
        return false;
      }
    }
    return slab.getLong(at + last) == data.getLong(position + last);
  }

  long allocatedBytes() {
    return allocatedBytes;
  }
}
