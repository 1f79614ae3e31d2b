package dev.rowlog.connector.cli.topic;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.config.TopicConfig;
import dev.rowlog.connector.config.setting.Settings;
import dev.rowlog.connector.text.Quantity;
import dev.rowlog.engine.inspect.stats.LogStats;
import dev.rowlog.engine.inspect.stats.SegmentStats;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.replay.DirectoryReader;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/** One log scanned, with the configuration that its cleaner goes by. */
record LogInspection(LogConfig config, LogStats stats) {

  static LogInspection of(DirectoryReader reader, TopicPartition log, Settings settings, CommandContext context) {
    LogConfig config = reader.storedConfig(log).orElseGet(() -> TopicConfig.of(settings).log());
    long now = context.environment().clock().millis();
    return new LogInspection(config, LogStats.of(reader, log, config, now, LogStats.DEFAULT_MAX_KEYS));
  }

  long sum(ToLongFunction<SegmentStats> field) {
    return stats.segments().stream().mapToLong(field).sum();
  }

  /** Empty where the log has more keys than a scan may hold. */
  OptionalLong live() {
    boolean known = stats.segments().stream().allMatch(segment -> segment.live().isPresent());
    return known ? OptionalLong.of(sum(segment -> segment.live().orElse(0))) : OptionalLong.empty();
  }

  static String orUnknown(OptionalLong count) {
    return count.isPresent() ? Quantity.count(count.getAsLong()) : "?";
  }

  static ObjectNode json(SegmentStats segment) {
    ObjectNode json = JsonNodeFactory.instance.objectNode()
        .put("base_offset", segment.baseOffset())
        .put("next_offset", segment.nextOffset())
        .put("bytes", segment.sizeBytes())
        .put("batches", segment.batches())
        .put("records", segment.records())
        .put("tombstones", segment.tombstones());
    json.put("live", boxed(segment.live()));
    json.put("dead", boxed(segment.dead()));
    json.put("first_timestamp", segment.firstTimestamp() < 0 ? null : (Long) segment.firstTimestamp());
    json.put("last_timestamp", segment.lastTimestamp() < 0 ? null : (Long) segment.lastTimestamp());
    return json.put("state", segment.state().name().toLowerCase(Locale.ROOT)).put("why_not_cleaned",
        segment.whyNotCleaned());
  }

  static Long boxed(OptionalLong value) {
    return value.isPresent() ? (Long) value.getAsLong() : null;
  }
}
