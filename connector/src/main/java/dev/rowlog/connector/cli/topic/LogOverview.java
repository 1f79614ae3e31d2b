package dev.rowlog.connector.cli.topic;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.CleanupPolicy;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.replay.DirectoryReader;
import dev.rowlog.engine.replay.LogCursor;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A log without looking into its records.
 *
 * @param endOffset exclusive: the last commit's
 * @param policy empty where the folder does not say (one that Kafka wrote)
 */
record LogOverview(
    TopicPartition log, long logStartOffset, long endOffset, int segments, long sizeBytes,
    Optional<CleanupPolicy> policy) {

  static LogOverview of(DirectoryReader reader, TopicPartition log, Disk disk) {
    Path folder = reader.root().resolve(log.directoryName());
    List<String> files = disk.list(folder).stream().filter(name -> name.matches("[0-9]{20}\\.log")).toList();
    long size = files.stream().mapToLong(name -> disk.size(folder.resolve(name))).sum();
    try (LogCursor cursor = reader.cursor(log, 0)) {
      return new LogOverview(
          log, cursor.position(), cursor.endOffset(), files.size(), size,
          reader.storedConfig(log).map(LogConfig::cleanupPolicy));
    }
  }

  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode()
        .put("topic", log.topic())
        .put("partition", log.partition())
        .put("first_offset", logStartOffset)
        .put("end_offset", endOffset)
        .put("segments", segments)
        .put("bytes", sizeBytes);
    return json.put("cleanup_policy",
        policy.map(value -> value.name().toLowerCase(Locale.ROOT).replace('_', ',')).orElse(null));
  }
}
