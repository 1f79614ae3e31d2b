package dev.rowlog.engine.log;

import dev.rowlog.engine.record.Compression;
import java.util.Map;

/**
 * Configuration of one log: Kafka's topic keys, names and meanings (Kafka {@code TopicConfig}); the defaults are Kafka's.
 *
 * <p>Built from defaults with {@link #with}; each key is checked.
 */
public record LogConfig(
    CleanupPolicy cleanupPolicy,
    Compression compression,
    int segmentBytes,
    long segmentMs,
    int segmentIndexBytes,
    int indexIntervalBytes,
    double minCleanableDirtyRatio,
    long minCompactionLagMs,
    long maxCompactionLagMs,
    long deleteRetentionMs,
    long retentionMs,
    long retentionBytes,
    long fileDeleteDelayMs) {

  /** Kafka's defaults, with {@code cleanup.policy=compact}. */
  public static LogConfig defaults() {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * This configuration with one key set, by Kafka's name.
   *
   * @throws dev.rowlog.engine.error.InvalidConfigException for an unknown key or a value outside its range
   */
  public LogConfig with(String key, String value) {
    throw new UnsupportedOperationException("skeleton");
  }

  public LogConfig with(Map<String, String> values) {
    LogConfig config = this;
    for (Map.Entry<String, String> entry : values.entrySet()) {
      config = config.with(entry.getKey(), entry.getValue());
    }
    return config;
  }

  /** Every key with its value, in the documented order. */
  public Map<String, String> toMap() {
    throw new UnsupportedOperationException("skeleton");
  }
}
