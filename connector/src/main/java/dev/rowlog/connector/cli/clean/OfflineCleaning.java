package dev.rowlog.connector.cli.clean;

import dev.rowlog.connector.RequestedCleaning;
import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.command.DataOptions;
import dev.rowlog.connector.cli.topic.LogSelection;
import dev.rowlog.connector.config.CleanerSettings;
import dev.rowlog.connector.config.TopicConfig;
import dev.rowlog.connector.config.setting.Settings;
import dev.rowlog.connector.mirror.CleanRequest;
import dev.rowlog.connector.mirror.CleaningResult;
import dev.rowlog.connector.mirror.MirrorListener;
import dev.rowlog.connector.mirror.UncleanedLog;
import dev.rowlog.engine.EngineOptions;
import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.error.LogException;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.replay.DirectoryReader;
import dev.rowlog.engine.replay.LogCursor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

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

  List<CleaningResult> run(CleanRequest request) {
    Choice choice = choose(request);
    CleanerConfig cleaner = CleanerSettings.of(settings).cleaner();
    EngineOptions options = new EngineOptions(directory, TopicConfig.of(settings).log(), cleaner, false);
    List<CleaningResult> results = new ArrayList<>(choice.unreadable());
    // Opening a log may cut it: those that nobody named stay as they are.
    try (LogEngine engine = LogEngine.openOnly(choice.logs(), options, context.environment().disk(),
        context.environment().clock(), context.environment().nanoClock(), context.environment().random())) {
      results.addAll(new RequestedCleaning(engine, cleaner, context.cpuNanos(), MirrorListener.NONE)
          .run(choice.logs(), request));
    }
    results.sort(Comparator.comparing(CleaningResult::log));
    return results;
  }

  /**
   * @param logs to clean
   * @param unreadable logs that cannot even be looked at
   */
  private record Choice(List<TopicPartition> logs, List<UncleanedLog> unreadable) {}

  /** Looks before it locks: what is named must be there, what is not named must be compacted. */
  private Choice choose(CleanRequest request) {
    try (DirectoryReader reader = DataOptions.open(context.environment().disk(), directory)) {
      if (!request.topics().isEmpty()) {
        return new Choice(
            request.topics().stream().flatMap(topic -> named(topic, reader).stream()).distinct().toList(), List.of());
      }
      List<TopicPartition> logs = new ArrayList<>();
      List<UncleanedLog> unreadable = new ArrayList<>();
      for (TopicPartition log : reader.partitions()) {
        try {
          if (request.covers(log.topic()) && isCompacted(reader, log)) {
            logs.add(log);
          }
        } catch (LogException e) {
          unreadable.add(new UncleanedLog(log, e.getMessage()));
        }
      }
      return new Choice(logs, unreadable);
    }
  }

  /** A topic's name stands for all its partitions. */
  private static List<TopicPartition> named(String topic, DirectoryReader reader) {
    List<TopicPartition> all = reader.partitions().stream().filter(log -> log.topic().equals(topic)).toList();
    return all.isEmpty() ? List.of(LogSelection.find(topic, null, reader)) : all;
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
}
