package dev.rowlog.connector.replay.spi;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The newest state of one key in a batch.
 *
 * @param key a JSON object of the key's columns; not to be changed
 * @param value the row as JSON, null where it was deleted; not to be changed
 * @param offset of the record in its log: grows with each change of the key
 */
@SuppressWarnings("ArrayRecordComponent")
public record TargetRow(byte[] key, byte[] value, long offset) {
  public TargetRow {
    Objects.requireNonNull(key, "key");
  }

  public boolean isDelete() {
    return value == null;
  }

  /** For messages. */
  public String keyText() {
    return new String(key, StandardCharsets.UTF_8);
  }
}
