package dev.rowlog.connector.cli.clean;

import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.topic.LogSelection;
import dev.rowlog.connector.config.CleanerSettings;
import dev.rowlog.connector.config.TopicConfig;
import dev.rowlog.connector.config.key.ConfigKeys;
import dev.rowlog.connector.config.setting.Settings;
import dev.rowlog.connector.mirror.CleanRequest;
import dev.rowlog.connector.mirror.CleanedLog;
import dev.rowlog.engine.EngineOptions;
import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.cleaner.CleaningReport;
import dev.rowlog.engine.log.CleanerConfig;
import dev.rowlog.engine.log.LogConfig;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.replay.DirectoryReader;
import dev.rowlog.engine.replay.LogCursor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A pass in this process, under the directory's lock. One thread. */
final class OfflineCleaning {
  /** The metadata of a cluster of Kafka's in KRaft mode: not a topic, and never compacted this way. */
  private static final String KAFKA_METADATA = "__cluster_metadata";

  private final CommandContext context;
  private final Settings settings;
  private final Path directory;

  OfflineCleaning(CommandContext context, Settings settings, Path directory) {
    this.context = context;
    this.settings = settings;
    this.directory = directory;
  }

  List<CleanedLog> run(CleanRequest request) {
    List<TopicPartition> chosen = chosen(request.topics());
    CleanerConfig cleaner = CleanerSettings.of(settings).cleaner();
    Map<String, String> topicKeys = new TreeMap<>();
    for (Map.Entry<String, String> entry : request.set().entrySet()) {
      if (entry.getKey().startsWith(ConfigKeys.CLEANER_PREFIX)) {
        cleaner = cleaner.with(entry.getKey(), entry.getValue());
      } else {
        topicKeys.put(entry.getKey(), entry.getValue());
      }
    }
    LogConfig defaults = TopicConfig.of(settings).log().with(topicKeys);
    EngineOptions options = new EngineOptions(directory, defaults, cleaner, false);
    try (LogEngine engine = LogEngine.open(options, context.environment().disk(), context.environment().clock(),
        context.environment().nanoClock(), context.environment().random())) {
      return clean(engine, chosen, topicKeys, request.roll());
    }
  }

  /** Looks before it locks: what is named must be there, what is not named must be compacted. */
  private List<TopicPartition> chosen(List<String> topics) {
    try (DirectoryReader reader = DirectoryReader.open(context.environment().disk(), directory)) {
      if (!topics.isEmpty()) {
        return topics.stream().flatMap(topic -> named(topic, reader).stream()).distinct().toList();
      }
      return reader.partitions().stream().filter(log -> isCompacted(reader, log)).toList();
    }
  }

  /** A topic's name stands for all its partitions. */
  private static List<TopicPartition> named(String topic, DirectoryReader reader) {
    List<TopicPartition> all = reader.partitions().stream().filter(log -> log.topic().equals(topic)).toList();
    return all.isEmpty() ? List.of(LogSelection.find(topic, null, reader.partitions(), reader.root())) : all;
  }

  /**
   * What a log says of itself; one that Kafka wrote does not say, and is taken for compacted if each of its records
   * has a key.
   */
  private static boolean isCompacted(DirectoryReader reader, TopicPartition log) {
    if (log.topic().equals(KAFKA_METADATA)) {
      return false;
    }
    return reader.storedConfig(log).map(config -> config.cleanupPolicy().compacts())
        .orElseGet(() -> everyRecordHasKey(reader, log));
  }

  private static boolean everyRecordHasKey(DirectoryReader reader, TopicPartition log) {
    try (LogCursor cursor = reader.cursor(log, 0)) {
      while (cursor.next()) {
        if (cursor.current().keyLength() < 0) {
          return false;
        }
      }
      return true;
    }
  }

  private List<CleanedLog> clean(LogEngine engine, List<TopicPartition> chosen, Map<String, String> topicKeys,
      boolean roll) {
    Map<TopicPartition, RuntimeException> failed = engine.failedLogs();
    Set<TopicPartition> wanted = chosen.stream().collect(Collectors.toSet());
    failed.forEach((log, failure) -> {
      if (wanted.contains(log)) {
        throw failure;
      }
    });
    List<CleanedLog> cleaned = new ArrayList<>();
    for (TopicPartition partition : chosen) {
      PartitionLog log = engine.log(partition).orElseThrow(() -> new IllegalStateException(partition + " went away"));
      LogConfig own = log.config();
      log.reconfigure(own.with(topicKeys));
      try {
        cleaned.add(clean(engine, log, roll));
      } finally {
        log.reconfigure(own);
      }
    }
    return cleaned;
  }

  private CleanedLog clean(LogEngine engine, PartitionLog log, boolean roll) {
    long cpu = context.cpuNanos().getAsLong();
    if (roll) {
      log.roll();
    }
    CleaningReport report = engine.cleaner().clean(log);
    return new CleanedLog(report, context.cpuNanos().getAsLong() - cpu);
  }
}
