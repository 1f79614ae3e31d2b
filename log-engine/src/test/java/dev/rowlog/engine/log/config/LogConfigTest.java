package dev.rowlog.engine.log.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.error.InvalidConfigException;
import dev.rowlog.engine.record.Compression;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogConfigTest {
  @Test
  void shouldHaveKafkasDefaultsButForThePolicy() {
    // Given
    Map<String, ConfigDef.ConfigKey> kafka = org.apache.kafka.storage.internals.log.LogConfig.configKeys();
    // When, then
    LogConfig.defaults().toMap().forEach((key, value) -> {
      String expected = switch (key) {
        case "cleanup.policy" -> "compact";
        case "compression.type" -> "none";
        default -> String.valueOf(kafka.get(key).defaultValue);
      };
      assertThat(value).as(key).isEqualTo(expected);
    });
  }

  @Test
  void shouldSetEveryKey() {
    // Given
    Map<String, String> values = Map.ofEntries(
        Map.entry("cleanup.policy", "compact,delete"),
        Map.entry("compression.type", "zstd"),
        Map.entry("segment.bytes", "14"),
        Map.entry("segment.ms", "1"),
        Map.entry("segment.index.bytes", "12"),
        Map.entry("index.interval.bytes", "0"),
        Map.entry("min.cleanable.dirty.ratio", "0.25"),
        Map.entry("min.compaction.lag.ms", "5"),
        Map.entry("max.compaction.lag.ms", "6"),
        Map.entry("delete.retention.ms", "7"),
        Map.entry("retention.ms", "-1"),
        Map.entry("retention.bytes", "9"),
        Map.entry("file.delete.delay.ms", "10"));
    // When
    LogConfig config = LogConfig.defaults().with(values);
    // Then
    assertThat(config).isEqualTo(
        new LogConfig(CleanupPolicy.COMPACT_DELETE, Compression.ZSTD, 14, 1, 12, 0, 0.25, 5, 6, 7, -1, 9, 10));
    assertThat(config.toMap()).isEqualTo(values);
    assertThat(LogConfig.defaults().with(config.toMap())).isEqualTo(config);
  }

  @ParameterizedTest
  @CsvSource({
      "segment.bytes, 13", "segment.bytes, 2147483648", "segment.bytes, x", "segment.ms, 0", "segment.index.bytes, 11",
      "index.interval.bytes, -1", "min.cleanable.dirty.ratio, 1.01", "min.cleanable.dirty.ratio, -0.1",
      "min.cleanable.dirty.ratio, NaN",
      "min.compaction.lag.ms, -1", "max.compaction.lag.ms, 0", "delete.retention.ms, -1", "retention.ms, -2",
      "retention.bytes, -2",
      "file.delete.delay.ms, -1", "cleanup.policy, compress", "compression.type, brotli", "segment.jitter.ms, -1",
      "flush.messages, 0",
      "flush.ms, -1", "max.message.bytes, -1", "preallocate, yes", "message.timestamp.type, Now",
      "compression.lz4.level, 18",
      "compression.gzip.level, 10", "compression.zstd.level, 23", "message.timestamp.before.max.ms, -1"})
  void shouldRefuseAValueOutsideItsRange(String key, String value) {
    assertThatThrownBy(() -> LogConfig.defaults().with(key, value))
        .isInstanceOf(InvalidConfigException.class)
        .hasMessageContaining(key + ": '" + value + "' is not allowed; it takes ");
  }

  @ParameterizedTest
  @CsvSource({"segment.byte, segment.bytes", "cleanup.polcy, cleanup.policy", "retention.m, retention.ms"})
  void shouldNameTheNearestKeyForAnUnknownOne(String typed, String meant) {
    assertThatThrownBy(() -> LogConfig.defaults().with(typed, "1"))
        .isInstanceOf(InvalidConfigException.class)
        .hasMessage(typed + ": no such key; did you mean " + meant + "?");
  }

  @Test
  void shouldNameTheKnownKeysWhereNoneIsNear() {
    assertThatThrownBy(() -> LogConfig.defaults().with("colour", "1"))
        .isInstanceOf(InvalidConfigException.class)
        .hasMessageContaining("known are cleanup.policy");
  }

  @Test
  void shouldRefuseLagsThatContradictEachOther() {
    assertThatThrownBy(() -> LogConfig.defaults().with("max.compaction.lag.ms", "5").with("min.compaction.lag.ms", "6"))
        .isInstanceOf(InvalidConfigException.class)
        .hasMessageContaining("6 is larger than max.compaction.lag.ms 5");
  }

  @Test
  void shouldTakePoliciesInAnyOrder() {
    assertThat(LogConfig.defaults().with("cleanup.policy", "delete, compact").cleanupPolicy())
        .isEqualTo(CleanupPolicy.COMPACT_DELETE);
  }

  @Test
  void shouldTakeEveryTopicKeyThatSaysSomethingAboutALogOfOneMachine() {
    // Given
    Set<String> kafka = new TreeSet<>(org.apache.kafka.storage.internals.log.LogConfig.configKeys().keySet());
    // Replication, tiered storage and Kafka's own internals.
    kafka.removeIf(key -> key.startsWith("remote.") || key.startsWith("local.") || key.startsWith("internal.")
        || key.startsWith("leader.replication") || key.startsWith("follower.replication") || key.contains("insync")
        || key.contains("unclean.leader") || key.contains("errors.deadletterqueue"));
    // When, then
    kafka.forEach(key -> {
      Object value = org.apache.kafka.storage.internals.log.LogConfig.configKeys().get(key).defaultValue;
      String text = value instanceof List<?> list
          ? String.join(",", list.stream().map(String::valueOf).toList())
          : "" + value;
      assertThat(LogConfig.defaults().with(key, text)).as(key).isNotNull();
    });
  }

  @Test
  void shouldSetEveryCleanerKey() {
    // Given
    Map<String, String> values = Map.of(
        "log.cleaner.enable", "false",
        "log.cleaner.dedupe.buffer.size", "1000",
        "log.cleaner.io.buffer.size", "2000",
        "log.cleaner.io.buffer.load.factor", "0.5",
        "log.cleaner.io.max.bytes.per.second", "3000.0",
        "log.cleaner.backoff.ms", "0");
    // When
    CleanerConfig config = CleanerConfig.defaults();
    for (Map.Entry<String, String> value : values.entrySet()) {
      config = config.with(value.getKey(), value.getValue());
    }
    // Then
    assertThat(config).isEqualTo(new CleanerConfig(false, 1000, 2000, 0.5, 3000, 0));
    assertThat(config.toMap()).isEqualTo(values);
  }

  @Test
  void shouldRefuseUnknownCleanerKeysWithAHint() {
    CleanerConfig config = CleanerConfig.defaults();
    assertThatThrownBy(() -> config.with("log.cleaner.backof.ms", "1"))
        .hasMessageContaining("did you mean log.cleaner.backoff.ms?");
    assertThatThrownBy(() -> config.with("log.cleaner.delete.retention.ms", "1"))
        .hasMessageContaining("set the topic key delete.retention.ms instead");
    assertThatThrownBy(() -> config.with("log.cleaner.io.buffer.load.factor", "0"))
        .isInstanceOf(InvalidConfigException.class);
    assertThat(config.with("log.cleaner.threads", "2")).isEqualTo(config);
  }
}
