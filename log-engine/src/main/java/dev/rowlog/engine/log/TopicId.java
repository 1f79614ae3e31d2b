package dev.rowlog.engine.log;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Identity of a log, kept in {@code partition.metadata}: 16 bytes, printed as Kafka's {@code Uuid} does (URL-safe
 * base64, 22 characters).
 */
public record TopicId(long mostSignificantBits, long leastSignificantBits) {
  private static final int TEXT_LENGTH = 22;

  /**
   * A version 4 UUID whose text does not start with a dash: it would be taken for an option (Kafka {@code
   * Uuid.randomUuid}).
   */
  public static TopicId random(RandomGenerator random) {
    while (true) {
      long most = random.nextLong() & ~0xf000L | 0x4000L;
      long least = random.nextLong() & ~(0b11L << 62) | 0b10L << 62;
      TopicId id = new TopicId(most, least);
      if (!id.toString().startsWith("-")) {
        return id;
      }
    }
  }

  /** Always the same for a name: the identity of a log whose folder has none. */
  static TopicId ofName(TopicPartition partition) {
    UUID uuid = UUID.nameUUIDFromBytes(partition.directoryName().getBytes(StandardCharsets.UTF_8));
    return new TopicId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  /**
   * @throws IllegalArgumentException where the text is not 22 characters of base64
   */
  public static TopicId parse(String text) {
    if (text.length() != TEXT_LENGTH) {
      throw new IllegalArgumentException(
          "topic id '" + text + "' has " + text.length() + " characters, expected " + TEXT_LENGTH);
    }
    ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
    return new TopicId(bytes.getLong(), bytes.getLong());
  }

  @Override
  public String toString() {
    byte[] bytes = ByteBuffer.allocate(16).putLong(mostSignificantBits).putLong(leastSignificantBits).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
