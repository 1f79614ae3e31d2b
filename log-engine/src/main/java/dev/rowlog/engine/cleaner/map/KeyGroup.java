package dev.rowlog.engine.cleaner.map;

import java.nio.ByteBuffer;

/**
 * A few decoded keys that go through the offset map together: decoded and hashed first, so that the cache misses of
 * their slots overlap. Reused; one thread.
 *
 * <p>Keys of up to {@link #INLINE_BYTES} bytes are copied into words; a longer one is referred to where it lies, so
 * the group must be emptied before that buffer changes ({@link #refersToBuffer}).
 */
public final class KeyGroup {
  /** Entries of a full group: enough to overlap misses, few enough to stay in the first-level cache. */
  public static final int CAPACITY = 32;

  /** Longest key that a map slot holds itself. */
  public static final int INLINE_BYTES = 24;

  /** Stands for the length of a key that lies in the arena. */
  public static final int LONG_KEY = 31;

  public final long[] word0 = new long[CAPACITY];
  public final long[] word1 = new long[CAPACITY];
  public final long[] word2 = new long[CAPACITY];
  public final long[] hash = new long[CAPACITY];
  /** Bytes of the key, or {@link #LONG_KEY}. */
  public final int[] length = new int[CAPACITY];
  /** Where a long key lies in {@link #data}. */
  public final int[] position = new int[CAPACITY];
  public final int[] slot = new int[CAPACITY];
  public final int[] ordinal = new int[CAPACITY];
  public final long[] offset = new long[CAPACITY];
  public final boolean[] tombstone = new boolean[CAPACITY];

  private final KeyHash keyHash;
  private ByteBuffer data;
  private boolean refersToBuffer;
  private int size;

  public KeyGroup(KeyHash keyHash) {
    this.keyHash = keyHash;
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public boolean isFull() {
    return size == CAPACITY;
  }

  /** True where an entry's key must be read from the buffer that it came from. */
  public boolean refersToBuffer() {
    return refersToBuffer;
  }

  /** The buffer of the long keys. */
  public ByteBuffer data() {
    return data;
  }

  public void clear() {
    size = 0;
    refersToBuffer = false;
  }

  /**
   * Adds an entry; the group must not be full.
   *
   * @param data big-endian
   * @param keyLength at least 0
   * @param recordOrdinal the record's bit among the survivors, as 32 unsigned bits
   */
  public void add(ByteBuffer data, int keyPosition, int keyLength, int recordOrdinal, long recordOffset,
      boolean isTombstone) {
    int i = size++;
    ordinal[i] = recordOrdinal;
    offset[i] = recordOffset;
    tombstone[i] = isTombstone;
    if (keyLength > INLINE_BYTES) {
      addLong(i, data, keyPosition, keyLength);
      return;
    }
    long k0;
    long k1 = 0;
    long k2 = 0;
    if (keyLength < 8) {
      k0 = tail(data, keyPosition, keyLength);
    } else {
      k0 = data.getLong(keyPosition);
      if (keyLength <= 16) {
        k1 = tail(data, keyPosition + 8, keyLength - 8);
      } else {
        k1 = data.getLong(keyPosition + 8);
        k2 = tail(data, keyPosition + 16, keyLength - 16);
      }
    }
    word0[i] = k0;
    word1[i] = k1;
    word2[i] = k2;
    length[i] = keyLength;
    hash[i] = keyHash.hash(k0, k1, k2, keyLength);
  }

  private void addLong(int i, ByteBuffer source, int keyPosition, int keyLength) {
    data = source;
    refersToBuffer = true;
    long h = keyHash.hash(source, keyPosition, keyLength);
    position[i] = keyPosition;
    word1[i] = keyLength;
    word2[i] = h;
    length[i] = LONG_KEY;
    hash[i] = h;
  }

  /**
   * Up to 8 bytes, left-aligned and padded with zeros. Loads the 8 bytes that end there, since a record has bytes
   * before its key.
   */
  private static long tail(ByteBuffer data, int from, int count) {
    if (count == 0) {
      return 0;
    }
    int start = from + count - Long.BYTES;
    if (start >= 0) {
      return data.getLong(start) << (Long.BYTES - count) * Byte.SIZE;
    }
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      bytes |= (data.get(from + i) & 0xffL) << (Long.BYTES - 1 - i) * Byte.SIZE;
    }
    return bytes;
  }
}
