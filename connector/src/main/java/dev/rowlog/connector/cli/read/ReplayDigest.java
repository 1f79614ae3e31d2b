package dev.rowlog.connector.cli.read;

import dev.rowlog.engine.record.RecordBatchDecoder;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 over the records of a replay, in order: offset (8 bytes), timestamp (8), key length (4, -1 for none), key,
 * value length (4, -1 for a
 * tombstone), value; numbers big-endian. Headers are not part of it. One thread.
 */
final class ReplayDigest {
  private static final int NUMBERS = 2 * Long.BYTES + 2 * Integer.BYTES;

  private final MessageDigest sha256;
  private ByteBuffer buffer = ByteBuffer.allocate(4096);

  ReplayDigest() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  void add(RecordBatchDecoder current) {
    int keyLength = current.keyLength();
    int valueLength = current.valueLength();
    int size = Math.addExact(NUMBERS, Math.addExact(Math.max(keyLength, 0), Math.max(valueLength, 0)));
    if (buffer.capacity() < size) {
      buffer = ByteBuffer.allocate(Math.max(size, (int) Math.min(Integer.MAX_VALUE - 64L, 2L * buffer.capacity())));
    }
    buffer.clear().putLong(current.offset()).putLong(current.timestamp());
    put(current.data(), current.keyPosition(), keyLength);
    put(current.data(), current.valuePosition(), valueLength);
    sha256.update(buffer.array(), 0, buffer.position());
  }

  private void put(ByteBuffer data, int position, int length) {
    buffer.putInt(length);
    if (length > 0) {
      data.get(position, buffer.array(), buffer.position(), length);
      buffer.position(buffer.position() + length);
    }
  }

  /** Hexadecimal; ends the digest. */
  String finish() {
    return HexFormat.of().formatHex(sha256.digest());
  }
}
