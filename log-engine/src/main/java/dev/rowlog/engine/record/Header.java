package dev.rowlog.engine.record;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A name and a value that travel with a record. Immutable by contract: the value is not copied.
 */
public final class Header {
  private final String key;
  private final byte[] value;

  /** UTF-8 of the key, made on first use; a race makes it twice, to the same effect. */
  private byte[] keyBytes;

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

  byte[] keyBytes() {
    byte[] bytes = keyBytes;
    if (bytes == null) {
      bytes = key.getBytes(StandardCharsets.UTF_8);
      keyBytes = bytes;
    }
    return bytes;
  }

  /** The value itself, not a copy; null where the header has none. */
  public byte[] value() {
    return value;
  }
}
