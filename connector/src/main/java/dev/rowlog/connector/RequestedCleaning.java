package dev.rowlog.connector;

import dev.rowlog.connector.mirror.CleanRequest;
import dev.rowlog.connector.mirror.CleanedLog;
import dev.rowlog.connector.mirror.CleaningResult;
import dev.rowlog.connector.mirror.MirrorListener;
import dev.rowlog.connector.mirror.UncleanedLog;
import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.cleaner.CleaningReport;
import dev.rowlog.engine.error.LogClosedException;
import dev.rowlog.engine.error.LogException;
import dev.rowlog.engine.error.UnknownTopicException;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Carries out a {@link CleanRequest}: one complete pass over each log, at once. A log that fails is told, and stops no
 * other. Any thread; one request at a time.
 */
public final class RequestedCleaning {
  private static final String CLEANER_PREFIX = "log.cleaner.";

  private final LogEngine engine;
  private final CleanerConfig cleaner;
  private final LongSupplier cpuNanos;
  private final MirrorListener listener;

  /**
   * @param cleaner what the engine's cleaner was opened with
   * @param cpuNanos CPU time of the whole process
   */
  public RequestedCleaning(LogEngine engine, CleanerConfig cleaner, LongSupplier cpuNanos, MirrorListener listener) {
    this.engine = engine;
    this.cleaner = cleaner;
    this.cpuNanos = cpuNanos;
    this.listener = listener;
  }

  /**
   * @throws dev.rowlog.engine.error.LogException for an unknown topic or key, before anything is cleaned
   */
  List<CleaningResult> run(CleanRequest request) {
    return run(logs(request), request);
  }

  /**
   * The pass over these logs, whichever topics the request names.
   *
   * @throws dev.rowlog.engine.error.InvalidConfigException for an unknown key, before anything is cleaned
   */
  public List<CleaningResult> run(List<TopicPartition> logs, CleanRequest request) {
    Map<String, String> topicKeys = new TreeMap<>(request.set());
    topicKeys.keySet().removeIf(key -> key.startsWith(CLEANER_PREFIX));
    CleanerConfig once = cleaner;
    for (Map.Entry<String, String> entry : request.set().entrySet()) {
      once = entry.getKey().startsWith(CLEANER_PREFIX) ? once.with(entry.getKey(), entry.getValue()) : once;
    }
    Map<TopicPartition, LogConfig> configs = new HashMap<>();
    for (TopicPartition log : logs) {
      engine.log(log).ifPresent(open -> configs.put(log, open.config().with(topicKeys)));
    }
    List<CleaningResult> results = new ArrayList<>();
    for (TopicPartition log : logs) {
      results.add(clean(log, configs.get(log), once, request.roll()));
    }
    return results;
  }

  private List<TopicPartition> logs(CleanRequest request) {
    if (!request.topics().isEmpty()) {
      return request.topics().stream().map(this::named).toList();
    }
    return Stream.concat(engine.partitions().stream(), engine.failedLogs().keySet().stream())
        .distinct()
        .filter(log -> request.covers(log.topic()))
        .filter(log -> engine.log(log).map(open -> open.config().cleanupPolicy().compacts()).orElse(true))
        .sorted()
        .toList();
  }

  private TopicPartition named(String topic) {
    TopicPartition log;
    try {
      log = TopicPartition.of(topic);
    } catch (IllegalArgumentException e) {
      throw new UnknownTopicException(e.getMessage());
    }
    if (engine.log(log).isEmpty() && !engine.failedLogs().containsKey(log)) {
      throw new UnknownTopicException(
          "there is no log of topic '" + topic + "': topic list shows those that are there");
    }
    return log;
  }

  private CleaningResult clean(TopicPartition partition, LogConfig config, CleanerConfig once, boolean roll) {
    Optional<PartitionLog> log = engine.log(partition);
    if (log.isEmpty()) {
      RuntimeException failure = engine.failedLogs().get(partition);
      return new UncleanedLog(partition, failure == null ? "the log is not open" : failure.getMessage());
    }
    try {
      CleanedLog cleaned = clean(log.get(), config, once, roll);
      listener.cleaned(cleaned.report());
      return cleaned;
    } catch (LogClosedException e) {
      // The engine is closing: nothing else can be cleaned either.
      throw e;
    } catch (LogException e) {
      return new UncleanedLog(partition, e.getMessage());
    }
  }

  private CleanedLog clean(PartitionLog log, LogConfig config, CleanerConfig once, boolean roll) {
    LogConfig own = log.config();
    long cpuBefore = cpuNanos.getAsLong();
    log.reconfigure(config);
    try {
      if (roll) {
        log.roll();
      }
      return new CleanedLog(pass(log, once), cpuNanos.getAsLong() - cpuBefore);
    } finally {
      log.reconfigure(own);
    }
  }

  private CleaningReport pass(PartitionLog log, CleanerConfig once) {
    return once.equals(cleaner) ? engine.cleaner().clean(log) : engine.cleaner().clean(log, once);
  }

  static long processCpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : 0;
  }
}
