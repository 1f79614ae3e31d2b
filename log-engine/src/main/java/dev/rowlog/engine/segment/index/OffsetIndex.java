package dev.rowlog.engine.segment.index;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * Where some batches of a segment start: entries of 8 bytes, offset relative to the base and byte position, both
 * rising (Kafka {@code OffsetIndex}). In memory.
 *
 * <p>An entry names the last offset of its batch. Appends and cuts: one thread. Look-ups: any thread. No checksum:
 * after an unclean stop an index is made again.
 */
public final class OffsetIndex {
  public static final int ENTRY_BYTES = 8;

  private final long baseOffset;
  private volatile Entries entries;

  public OffsetIndex(long baseOffset) {
    this(baseOffset, new Entries(new long[0], 0));
  }

  private OffsetIndex(long baseOffset, Entries entries) {
    this.baseOffset = baseOffset;
    this.entries = entries;
  }

  /** Entries packed as relative offset and position. Immutable: slots below {@code count} never change. */
  private static final class Entries {
    private final long[] packed;
    private final int count;

    Entries(long[] packed, int count) {
      this.packed = packed;
      this.count = count;
    }

    /** Shares the array: a reader of this view does not look at the slot that is filled. */
    Entries plus(long entry) {
      long[] grown = count < packed.length ? packed : Arrays.copyOf(packed, Math.max(16, 2 * count));
      grown[count] = entry;
      return new Entries(grown, count + 1);
    }

    Entries first(int newCount) {
      return new Entries(Arrays.copyOf(packed, newCount), newCount);
    }

    int relativeOffset(int i) {
      return (int) (packed[i] >>> 32);
    }

    int position(int i) {
      return (int) packed[i];
    }
  }

  /**
   * Decodes a file; zeros at its end are the space that Kafka reserves.
   *
   * @param bytes consumed
   * @return empty where the bytes cannot be the index of a {@code .log} of {@code logBytes}
   */
  public static Optional<OffsetIndex> decode(ByteBuffer bytes, long baseOffset, long logBytes) {
    if (bytes.remaining() % ENTRY_BYTES != 0) {
      return Optional.empty();
    }
    long[] packed = new long[bytes.remaining() / ENTRY_BYTES];
    int count = 0;
    int lastOffset = -1;
    // The first batch of a segment has no entry, so that positions start above 0.
    int lastPosition = 0;
    while (bytes.hasRemaining()) {
      int relativeOffset = bytes.getInt();
      int position = bytes.getInt();
      if (relativeOffset <= lastOffset || position <= lastPosition) {
        boolean isReserved = relativeOffset == 0 && position == 0 && ReservedSpace.isZero(bytes);
        if (!isReserved) {
          return Optional.empty();
        }
        break;
      }
      packed[count++] = (long) relativeOffset << 32 | position;
      lastOffset = relativeOffset;
      lastPosition = position;
    }
    return lastPosition > 0 && lastPosition >= logBytes
        ? Optional.empty()
        : Optional.of(new OffsetIndex(baseOffset, new Entries(packed, count)));
  }

  /** Entries from {@code firstEntry} on, as in the file. */
  public ByteBuffer encode(int firstEntry) {
    Entries view = entries;
    ByteBuffer bytes = ByteBuffer.allocate((view.count - firstEntry) * ENTRY_BYTES);
    for (int i = firstEntry; i < view.count; i++) {
      bytes.putInt(view.relativeOffset(i)).putInt(view.position(i));
    }
    return bytes.flip();
  }

  public int entryCount() {
    return entries.count;
  }

  /** Byte position of the last entry; 0 where there is none. */
  public long lastPosition() {
    Entries view = entries;
    return view.count == 0 ? 0 : view.position(view.count - 1);
  }

  /** Byte position of the last entry whose offset is at most {@code offset}; 0 where there is none. */
  public long floorPosition(long offset) {
    Entries view = entries;
    int low = 0;
    int high = view.count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (baseOffset + view.relativeOffset(middle) <= offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == 0 ? 0 : view.position(low - 1);
  }

  public void add(long offset, long position) {
    entries = entries.plus((offset - baseOffset) << 32 | position);
  }

  /** Entries whose batch starts below {@code position}. */
  public int countBelowPosition(long position) {
    Entries view = entries;
    int count = view.count;
    while (count > 0 && view.position(count - 1) >= position) {
      count--;
    }
    return count;
  }

  public void truncate(int count) {
    entries = entries.first(count);
  }
}
