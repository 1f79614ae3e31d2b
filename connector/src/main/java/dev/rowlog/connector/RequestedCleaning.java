package dev.rowlog.connector;

import dev.rowlog.connector.mirror.CleanRequest;
import dev.rowlog.connector.mirror.CleanedLog;
import dev.rowlog.connector.mirror.MirrorListener;
import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.cleaner.CleaningReport;
import dev.rowlog.engine.error.UnknownTopicException;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Carries out a {@link CleanRequest}: one complete pass over each log, at once. Any thread; one request at a time. */
final class RequestedCleaning {
  /** Logs of our own are cleaned by the cleaner's rules only, unless named. */
  private static final String INTERNAL_PREFIX = "__";

  private static final String CLEANER_PREFIX = "log.cleaner.";

  private final LogEngine engine;
  private final CleanerConfig cleaner;
  private final MirrorListener listener;

  /**
   * @param cleaner what the engine's cleaner was opened with
   */
  RequestedCleaning(LogEngine engine, CleanerConfig cleaner, MirrorListener listener) {
    this.engine = engine;
    this.cleaner = cleaner;
    this.listener = listener;
  }

  /**
   * @throws dev.rowlog.engine.error.LogException for an unknown topic or key, before anything is cleaned
   */
  List<CleanedLog> run(CleanRequest request) {
    List<PartitionLog> logs = logs(request.topics());
    Map<String, String> topicKeys = new TreeMap<>(request.set());
    topicKeys.keySet().removeIf(key -> key.startsWith(CLEANER_PREFIX));
    CleanerConfig once = cleaner;
    for (Map.Entry<String, String> entry : request.set().entrySet()) {
      once = entry.getKey().startsWith(CLEANER_PREFIX) ? once.with(entry.getKey(), entry.getValue()) : once;
    }
    List<LogConfig> configs = logs.stream().map(log -> log.config().with(topicKeys)).toList();
    List<CleanedLog> cleaned = new ArrayList<>();
    for (int i = 0; i < logs.size(); i++) {
      cleaned.add(clean(logs.get(i), configs.get(i), once, request.roll()));
    }
    return cleaned;
  }

  private List<PartitionLog> logs(List<String> topics) {
    if (topics.isEmpty()) {
      return engine.partitions().stream()
          .filter(partition -> !partition.topic().startsWith(INTERNAL_PREFIX))
          .flatMap(partition -> engine.log(partition).stream())
          .filter(log -> log.config().cleanupPolicy().compacts())
          .toList();
    }
    return topics.stream().map(this::log).toList();
  }

  private PartitionLog log(String topic) {
    try {
      return engine.log(TopicPartition.of(topic))
          .orElseThrow(() -> new UnknownTopicException(
              "there is no log of topic '" + topic + "': topic list shows those that are there"));
    } catch (IllegalArgumentException e) {
      throw new UnknownTopicException(e.getMessage());
    }
  }

  private CleanedLog clean(PartitionLog log, LogConfig config, CleanerConfig once, boolean roll) {
    LogConfig own = log.config();
    long cpuBefore = processCpuNanos();
    log.reconfigure(config);
    try {
      if (roll) {
        log.roll();
      }
      CleanedLog cleaned = new CleanedLog(pass(log, once), processCpuNanos() - cpuBefore);
      listener.cleaned(cleaned.report());
      return cleaned;
    } finally {
      log.reconfigure(own);
    }
  }

  private CleaningReport pass(PartitionLog log, CleanerConfig once) {
    return once.equals(cleaner) ? engine.cleaner().clean(log) : engine.cleaner().clean(log, once);
  }

  private static long processCpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : 0;
  }
}
