package dev.rowlog.engine.log;

import java.util.Map;

/**
 * Configuration of the cleaner: Kafka's broker keys {@code log.cleaner.*}, names and meanings (Kafka {@code CleanerConfig}).
 *
 * @param dedupeBufferSize bytes of the offset map, off heap
 * @param ioBufferSize bytes of read and write buffers
 * @param ioBufferLoadFactor share of the map that may be filled, above 0, up to 1
 */
public record CleanerConfig(
    boolean enable,
    long dedupeBufferSize,
    int ioBufferSize,
    double ioBufferLoadFactor,
    double ioMaxBytesPerSecond,
    long backoffMs) {

  public static CleanerConfig defaults() {
    return new CleanerConfig(true, 128L << 20, 512 << 10, 0.9, Double.MAX_VALUE, 15_000);
  }

  /**
   * @param key with its prefix {@code log.cleaner.}
   * @throws dev.rowlog.engine.error.InvalidConfigException for an unknown key or a value outside its range
   */
  public CleanerConfig with(String key, String value) {
    throw new UnsupportedOperationException("skeleton");
  }

  public Map<String, String> toMap() {
    throw new UnsupportedOperationException("skeleton");
  }
}
