package dev.rowlog.connector.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was committed since the process began. Written by the sink's thread after each commit, read by any: guarded by its monitor.
 */
public final class MirrorCounters {
  /** Seconds. */
  private static final double[] BUCKETS = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300};

  private final Map<String, LogCounters> logs = new TreeMap<>();
  private final long[] commits = new long[BUCKETS.length + 1];
  private long transactions;
  private double seconds;

  private static final class LogCounters {
    private long rows;
    private long tombstones;
    private long bytes;
    private long toastFills;
  }

  /** One log's part of a commit. */
  public synchronized void written(String topic, long rows, long tombstones, long bytes, long toastFills) {
    LogCounters counters = logs.computeIfAbsent(topic, name -> new LogCounters());
    counters.rows += rows;
    counters.tombstones += tombstones;
    counters.bytes += bytes;
    counters.toastFills += toastFills;
  }

  /**
   * @param durableAfterSeconds from its commit by the source's clock to ours by our own; below zero counts as zero
   */
  public synchronized void transaction(double durableAfterSeconds) {
    double taken = Math.max(0, durableAfterSeconds);
    int bucket = 0;
    while (bucket < BUCKETS.length && taken > BUCKETS[bucket]) {
      bucket++;
    }
    commits[bucket]++;
    transactions++;
    seconds += taken;
  }

  synchronized List<MetricFamily> families() {
    MetricFamily records = MetricFamily.counter("rowlog_log_records_total", "Records committed from the stream.");
    MetricFamily bytes = MetricFamily.counter("rowlog_log_written_bytes_total",
        "Bytes of keys and values committed from the stream.");
    MetricFamily fills = MetricFamily.counter("rowlog_toast_fills_total",
        "Rows whose unchanged TOASTed values were taken from the log.");
    for (Map.Entry<String, LogCounters> log : logs.entrySet()) {
      LogCounters counters = log.getValue();
      records = records.with(counters.rows, Map.of("topic", log.getKey(), "kind", "row"))
          .with(counters.tombstones, Map.of("topic", log.getKey(), "kind", "tombstone"));
      bytes = bytes.with(counters.bytes, Map.of("topic", log.getKey()));
      fills = fills.with(counters.toastFills, Map.of("topic", log.getKey()));
    }
    return List.of(
        MetricFamily.counter("rowlog_source_transactions_total", "Source transactions committed in the logs.")
            .with(transactions),
        latency(), records, bytes, fills);
  }

  private MetricFamily latency() {
    List<MetricFamily.Sample> samples = new ArrayList<>();
    long below = 0;
    for (int i = 0; i < commits.length; i++) {
      below += commits[i];
      String bound = i < BUCKETS.length ? Double.toString(BUCKETS[i]) : "+Inf";
      samples.add(new MetricFamily.Sample("_bucket", Map.of("le", bound), below));
    }
    samples.add(new MetricFamily.Sample("_sum", Map.of(), seconds));
    samples.add(new MetricFamily.Sample("_count", Map.of(), below));
    return new MetricFamily("rowlog_commit_to_durable_seconds", MetricFamily.Type.HISTOGRAM,
        "From a transaction's commit in the source to its commit in the logs.", samples);
  }
}
