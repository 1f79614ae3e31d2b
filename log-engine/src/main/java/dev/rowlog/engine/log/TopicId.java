package dev.rowlog.engine.log;

import java.util.random.RandomGenerator;

/** Identity of a log, kept in {@code partition.metadata}: 16 bytes, printed as Kafka's {@code Uuid} does (URL-safe base64, 22 characters). */
public record TopicId(long mostSignificantBits, long leastSignificantBits) {

  public static TopicId random(RandomGenerator random) {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * @throws IllegalArgumentException where the text is not 22 characters of base64
   */
  public static TopicId parse(String text) {
    throw new UnsupportedOperationException("skeleton");
  }

  @Override
  public String toString() {
    throw new UnsupportedOperationException("skeleton");
  }
}
