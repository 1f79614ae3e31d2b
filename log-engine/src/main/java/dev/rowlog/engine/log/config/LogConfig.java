package dev.rowlog.engine.log.config;

import dev.rowlog.engine.error.InvalidConfigException;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.segment.index.IndexSettings;
import java.util.Map;
import java.util.Objects;

/**
 * Configuration of one log: Kafka's topic keys, names and meanings (Kafka {@code TopicConfig}); the defaults are
 * Kafka's.
 *
 * <p>Built from defaults with {@link #with}; each key is checked. Exceptions: {@code segment.bytes} may be as low as
 * 14, Kafka's old minimum; {@code segment.index.bytes} from 12 on, one time index entry; {@code
 * compression.type=producer} is {@code none}, since we are the producer.
 *
 * <p>Checked, but without effect yet: {@code segment.jitter.ms}, {@code flush.messages}, {@code flush.ms}, {@code
 * max.message.bytes} (a batch beyond {@code segment.bytes} gets a segment of its own), {@code preallocate}, {@code
 * message.timestamp.type}, {@code message.timestamp.before.max.ms}, {@code message.timestamp.after.max.ms}, {@code
 * compression.gzip.level}, {@code compression.lz4.level}, {@code compression.zstd.level}.
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

  private static final String CLEANUP_POLICY = "cleanup.policy";
  private static final String COMPRESSION_TYPE = "compression.type";
  private static final String SEGMENT_BYTES = "segment.bytes";
  private static final String SEGMENT_MS = "segment.ms";
  private static final String SEGMENT_INDEX_BYTES = "segment.index.bytes";
  private static final String INDEX_INTERVAL_BYTES = "index.interval.bytes";
  private static final String MIN_CLEANABLE_DIRTY_RATIO = "min.cleanable.dirty.ratio";
  private static final String MIN_COMPACTION_LAG_MS = "min.compaction.lag.ms";
  private static final String MAX_COMPACTION_LAG_MS = "max.compaction.lag.ms";
  private static final String DELETE_RETENTION_MS = "delete.retention.ms";
  private static final String RETENTION_MS = "retention.ms";
  private static final String RETENTION_BYTES = "retention.bytes";
  private static final String FILE_DELETE_DELAY_MS = "file.delete.delay.ms";

  private static final ConfigTable<LogConfig> KEYS = new ConfigTable<LogConfig>()
      .key(CLEANUP_POLICY, (key, value) -> CleanupPolicy.parse(key, value).configName(),
          config -> config.cleanupPolicy.configName())
      .key(COMPRESSION_TYPE, LogConfig::compressionName, config -> config.compression.configName())
      .key(SEGMENT_BYTES, ConfigRange.intAtLeast(14), LogConfig::segmentBytes)
      .key(SEGMENT_MS, ConfigRange.atLeast(1), LogConfig::segmentMs)
      .key(SEGMENT_INDEX_BYTES, ConfigRange.intAtLeast(12), LogConfig::segmentIndexBytes)
      .key(INDEX_INTERVAL_BYTES, ConfigRange.intAtLeast(0), LogConfig::indexIntervalBytes)
      .key(MIN_CLEANABLE_DIRTY_RATIO, ConfigRange.decimal(0, false, 1), LogConfig::minCleanableDirtyRatio)
      .key(MIN_COMPACTION_LAG_MS, ConfigRange.atLeast(0), LogConfig::minCompactionLagMs)
      .key(MAX_COMPACTION_LAG_MS, ConfigRange.atLeast(1), LogConfig::maxCompactionLagMs)
      .key(DELETE_RETENTION_MS, ConfigRange.atLeast(0), LogConfig::deleteRetentionMs)
      .key(RETENTION_MS, ConfigRange.atLeast(-1), LogConfig::retentionMs)
      .key(RETENTION_BYTES, ConfigRange.atLeast(-1), LogConfig::retentionBytes)
      .key(FILE_DELETE_DELAY_MS, ConfigRange.atLeast(0), LogConfig::fileDeleteDelayMs)
      .withoutEffect("segment.jitter.ms", ConfigRange.atLeast(0))
      .withoutEffect("flush.messages", ConfigRange.atLeast(1))
      .withoutEffect("flush.ms", ConfigRange.atLeast(0))
      .withoutEffect("max.message.bytes", ConfigRange.intAtLeast(0))
      .withoutEffect("preallocate", ConfigRange.oneOf("true", "false"))
      .withoutEffect("message.timestamp.type", ConfigRange.oneOf("CreateTime", "LogAppendTime"))
      .withoutEffect("message.timestamp.before.max.ms", ConfigRange.atLeast(0))
      .withoutEffect("message.timestamp.after.max.ms", ConfigRange.atLeast(0))
      .withoutEffect("compression.gzip.level", ConfigRange.between(-1, 9))
      .withoutEffect("compression.lz4.level", ConfigRange.between(1, 17))
      .withoutEffect("compression.zstd.level", ConfigRange.between(-131_072, 22));

  public LogConfig {
    Objects.requireNonNull(cleanupPolicy, "cleanupPolicy");
    Objects.requireNonNull(compression, "compression");
  }

  /** Kafka's defaults, with {@code cleanup.policy=compact}. */
  public static LogConfig defaults() {
    return new LogConfig(
        CleanupPolicy.COMPACT,
        Compression.NONE,
        1 << 30,
        604_800_000,
        10 << 20,
        4096,
        0.5,
        0,
        Long.MAX_VALUE,
        86_400_000,
        604_800_000,
        -1,
        60_000);
  }

  /**
   * This configuration with one key set, by Kafka's name.
   *
   * @throws InvalidConfigException for an unknown key or a value outside its range
   */
  public LogConfig with(String key, String value) {
    return with(Map.of(key, value));
  }

  /**
   * This configuration with several keys set.
   *
   * @throws InvalidConfigException for an unknown key, a value outside its range, or two values that contradict each
   *     other
   */
  public LogConfig with(Map<String, String> values) {
    LogConfig config = of(KEYS.toMap(this, values));
    if (config.minCompactionLagMs > config.maxCompactionLagMs) {
      throw new InvalidConfigException(
          MIN_COMPACTION_LAG_MS,
          config.minCompactionLagMs + " is larger than " + MAX_COMPACTION_LAG_MS + " " + config.maxCompactionLagMs);
    }
    return config;
  }

  /** Every key with its value, in the documented order. */
  public Map<String, String> toMap() {
    return KEYS.toMap(this);
  }

  /** From checked values of every key. */
  private static LogConfig of(Map<String, String> values) {
    return new LogConfig(
        CleanupPolicy.parse(CLEANUP_POLICY, values.get(CLEANUP_POLICY)),
        compressionOf(values.get(COMPRESSION_TYPE)),
        Integer.parseInt(values.get(SEGMENT_BYTES)),
        Long.parseLong(values.get(SEGMENT_MS)),
        Integer.parseInt(values.get(SEGMENT_INDEX_BYTES)),
        Integer.parseInt(values.get(INDEX_INTERVAL_BYTES)),
        Double.parseDouble(values.get(MIN_CLEANABLE_DIRTY_RATIO)),
        Long.parseLong(values.get(MIN_COMPACTION_LAG_MS)),
        Long.parseLong(values.get(MAX_COMPACTION_LAG_MS)),
        Long.parseLong(values.get(DELETE_RETENTION_MS)),
        Long.parseLong(values.get(RETENTION_MS)),
        Long.parseLong(values.get(RETENTION_BYTES)),
        Long.parseLong(values.get(FILE_DELETE_DELAY_MS)));
  }

  private static String compressionName(String key, String value) {
    String name = ConfigRange.oneOf("none", "producer", "uncompressed", "gzip", "snappy", "lz4", "zstd").check(key,
        value);
    return name.equals("producer") || name.equals("uncompressed") ? Compression.NONE.configName() : name;
  }

  private static Compression compressionOf(String name) {
    for (Compression compression : Compression.values()) {
      if (compression.configName().equals(name)) {
        return compression;
      }
    }
    throw new IllegalArgumentException("not a compression: " + name);
  }

  /** How dense the indexes of its segments are. */
  public IndexSettings indexSettings() {
    return new IndexSettings(indexIntervalBytes, segmentIndexBytes);
  }
}
