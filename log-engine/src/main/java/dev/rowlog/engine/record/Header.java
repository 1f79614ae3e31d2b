package dev.rowlog.engine.record;

import java.util.Objects;

/**
 * A name and a value that travel with a record. Immutable by contract: the value is not copied.
 */
public final class Header {
  private final String key;
  private final byte[] value;

  /**
   * @param value may be null
   */
  public Header(String key, byte[] value) {
    this.key = Objects.requireNonNull(key, "key");
    this.value = value;
  }

  public String key() {
    return key;
  }

  /** The value itself, not a copy; null where the header has none. */
  public byte[] value() {
    return value;
  }
}
