package dev.rowlog.engine.segment.index;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * The largest timestamp up to some offsets of a segment: entries of 12 bytes, timestamp (ms) and offset relative to
 * the base (Kafka {@code TimeIndex}). In memory, one thread.
 *
 * <p>An entry (t, o) says that no record before the end of o's batch is younger than t. Timestamps rise strictly.
 */
public final class TimeIndex {
  public static final int ENTRY_BYTES = 12;

  private final long baseOffset;
  private long[] timestamps;
  private int[] relativeOffsets;
  private int count;

  public TimeIndex(long baseOffset) {
    this(baseOffset, 0);
  }

  private TimeIndex(long baseOffset, int capacity) {
    this.baseOffset = baseOffset;
    this.timestamps = new long[capacity];
    this.relativeOffsets = new int[capacity];
  }

  /**
   * Decodes a file; zeros at its end are the space that Kafka reserves.
   *
   * @param bytes consumed
   * @return empty where the bytes cannot be an index
   */
  public static Optional<TimeIndex> decode(ByteBuffer bytes, long baseOffset) {
    if (bytes.remaining() % ENTRY_BYTES != 0) {
      return Optional.empty();
    }
    int capacity = bytes.remaining() / ENTRY_BYTES;
    TimeIndex index = new TimeIndex(baseOffset, capacity);
    while (bytes.hasRemaining()) {
      long timestamp = bytes.getLong();
      int relativeOffset = bytes.getInt();
      // An entry of zeros is a first record at the epoch where nothing follows, and reserved space where more zeros do.
      if (timestamp == 0 && relativeOffset == 0 && capacity > 1) {
        if (!ReservedSpace.isZero(bytes)) {
          return Optional.empty();
        }
        break;
      }
      if (!index.follows(timestamp, relativeOffset)) {
        return Optional.empty();
      }
      index.put(timestamp, relativeOffset);
    }
    return Optional.of(index);
  }

  private boolean follows(long timestamp, int relativeOffset) {
    return count == 0
        ? timestamp >= 0 && relativeOffset >= 0
        : timestamp > timestamps[count - 1] && relativeOffset >= relativeOffsets[count - 1];
  }

  private void put(long timestamp, int relativeOffset) {
    if (count == timestamps.length) {
      timestamps = Arrays.copyOf(timestamps, Math.max(16, 2 * count));
      relativeOffsets = Arrays.copyOf(relativeOffsets, timestamps.length);
    }
    timestamps[count] = timestamp;
    relativeOffsets[count] = relativeOffset;
    count++;
  }

  /** Entries from {@code firstEntry} on, as in the file. */
  public ByteBuffer encode(int firstEntry) {
    ByteBuffer bytes = ByteBuffer.allocate((count - firstEntry) * ENTRY_BYTES);
    for (int i = firstEntry; i < count; i++) {
      bytes.putLong(timestamps[i]).putInt(relativeOffsets[i]);
    }
    return bytes.flip();
  }

  public int entryCount() {
    return count;
  }

  /** Largest timestamp (ms); -1 where there is no entry. */
  public long lastTimestamp() {
    return count == 0 ? -1 : timestamps[count - 1];
  }

  /** Offset of the last entry; -1 where there is none. */
  public long lastOffset() {
    return count == 0 ? -1 : baseOffset + relativeOffsets[count - 1];
  }

  /** Adds an entry where the timestamp is larger than the last one. */
  public void addIfLarger(long timestamp, long offset) {
    if (timestamp > lastTimestamp()) {
      put(timestamp, (int) (offset - baseOffset));
    }
  }

  /** Entries below {@code offset}. */
  public int countBelowOffset(long offset) {
    int kept = count;
    while (kept > 0 && baseOffset + relativeOffsets[kept - 1] >= offset) {
      kept--;
    }
    return kept;
  }

  public void truncate(int entries) {
    count = entries;
  }
}
