package dev.rowlog.engine.record;

import java.util.List;

/**
 * One record of a log: the newest state of its key, or a tombstone. Immutable by contract: arrays are not copied.
 */
public final class Record {
  private final long offset;
  private final long timestamp;
  private final byte[] key;
  private final byte[] value;
  private final List<Header> headers;

  /**
   * @param timestamp ms since the epoch
   * @param key null only in logs that are not compacted
   * @param value null for a tombstone
   */
  public Record(long offset, long timestamp, byte[] key, byte[] value, List<Header> headers) {
    this.offset = offset;
    this.timestamp = timestamp;
    this.key = key;
    this.value = value;
    this.headers = List.copyOf(headers);
  }

  public long offset() {
    return offset;
  }

  public long timestamp() {
    return timestamp;
  }

  public byte[] key() {
    return key;
  }

  public byte[] value() {
    return value;
  }

  public List<Header> headers() {
    return headers;
  }

  /** True where the record deletes its key: a null value. A value of no bytes is not a tombstone. */
  public boolean isTombstone() {
    return value == null;
  }
}
