package dev.rowlog.engine.log.config;

import dev.rowlog.engine.error.InvalidConfigException;
import java.util.Map;

/**
 * Configuration of the cleaner: Kafka's broker keys {@code log.cleaner.*}, names and meanings (Kafka {@code
 * CleanerConfig}).
 *
 * <p>Checked, but without effect: {@code log.cleaner.threads} (there is one). Kafka's broker-wide defaults of topic
 * keys are refused with the topic key's name.
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
  private static final String ENABLE = "log.cleaner.enable";
  private static final String DEDUPE_BUFFER_SIZE = "log.cleaner.dedupe.buffer.size";
  private static final String IO_BUFFER_SIZE = "log.cleaner.io.buffer.size";
  private static final String IO_BUFFER_LOAD_FACTOR = "log.cleaner.io.buffer.load.factor";
  private static final String IO_MAX_BYTES_PER_SECOND = "log.cleaner.io.max.bytes.per.second";
  private static final String BACKOFF_MS = "log.cleaner.backoff.ms";

  private static final ConfigTable<CleanerConfig> KEYS = new ConfigTable<CleanerConfig>()
      .key(ENABLE, ConfigRange.oneOf("true", "false"), CleanerConfig::enable)
      .key(DEDUPE_BUFFER_SIZE, ConfigRange.atLeast(1), CleanerConfig::dedupeBufferSize)
      .key(IO_BUFFER_SIZE, ConfigRange.intAtLeast(1), CleanerConfig::ioBufferSize)
      .key(IO_BUFFER_LOAD_FACTOR, ConfigRange.decimal(0, true, 1), CleanerConfig::ioBufferLoadFactor)
      .key(IO_MAX_BYTES_PER_SECOND, ConfigRange.decimal(0, true, Double.MAX_VALUE), CleanerConfig::ioMaxBytesPerSecond)
      .key(BACKOFF_MS, ConfigRange.atLeast(0), CleanerConfig::backoffMs)
      .withoutEffect("log.cleaner.threads", ConfigRange.intAtLeast(1));

  private static final Map<String, String> TOPIC_KEYS = Map.of(
      "log.cleaner.min.cleanable.ratio", "min.cleanable.dirty.ratio",
      "log.cleaner.delete.retention.ms", "delete.retention.ms",
      "log.cleaner.min.compaction.lag.ms", "min.compaction.lag.ms",
      "log.cleaner.max.compaction.lag.ms", "max.compaction.lag.ms");

  public static CleanerConfig defaults() {
    return new CleanerConfig(true, 128L << 20, 512 << 10, 0.9, Double.MAX_VALUE, 15_000);
  }

  /**
   * @param key with its prefix {@code log.cleaner.}
   * @throws InvalidConfigException for an unknown key or a value outside its range
   */
  public CleanerConfig with(String key, String value) {
    if (TOPIC_KEYS.containsKey(key)) {
      throw new InvalidConfigException(key, "set the topic key " + TOPIC_KEYS.get(key) + " instead");
    }
    Map<String, String> values = KEYS.toMap(this, Map.of(key, value));
    return new CleanerConfig(
        Boolean.parseBoolean(values.get(ENABLE)),
        Long.parseLong(values.get(DEDUPE_BUFFER_SIZE)),
        Integer.parseInt(values.get(IO_BUFFER_SIZE)),
        Double.parseDouble(values.get(IO_BUFFER_LOAD_FACTOR)),
        Double.parseDouble(values.get(IO_MAX_BYTES_PER_SECOND)),
        Long.parseLong(values.get(BACKOFF_MS)));
  }

  /** Every key with its value, in the documented order. */
  public Map<String, String> toMap() {
    return KEYS.toMap(this);
  }
}
