package dev.rowlog.connector.metrics;

import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.cleaner.CleanerTotals;
import dev.rowlog.engine.cleaner.plan.DirtyRange;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.SegmentList;
import dev.rowlog.engine.log.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Logs and cleaner of an engine, by our names and by those that exporters of Kafka give. Reads no records. Any thread. */
public final class LogMetrics {
  private static final double MS_A_SECOND = 1000;
  private static final double PERCENT = 100;

  private LogMetrics() {}

  /**
   * @param nowMs the wall clock
   */
  public static List<MetricFamily> of(LogEngine engine, long nowMs) {
    Map<TopicPartition, DirtyRange> ranges = engine.cleaner().dirtyRanges();
    List<MetricFamily> families = new ArrayList<>(logs(engine, ranges));
    families.addAll(cleaner(engine, ranges, nowMs));
    return families;
  }

  private static List<MetricFamily> logs(LogEngine engine, Map<TopicPartition, DirtyRange> ranges) {
    MetricFamily bytes = MetricFamily.gauge("rowlog_log_bytes",
        "Size of a log's segments: cleaned, not cleaned, still written.");
    MetricFamily segments = MetricFamily.gauge("rowlog_log_segments", "Segments of a log.");
    MetricFamily start = MetricFamily.gauge("rowlog_log_start_offset", "First offset of a log.");
    MetricFamily end = MetricFamily.gauge("rowlog_log_end_offset", "Committed end of a log, exclusive.");
    MetricFamily ratio = MetricFamily.gauge("rowlog_cleaner_dirty_ratio",
        "Bytes that could be cleaned now, as a share of them and the clean ones.");
    MetricFamily kafkaSize = MetricFamily.gauge("kafka_log_log_size", "Kafka's name for the size of a log.");
    MetricFamily kafkaSegments = MetricFamily.gauge("kafka_log_log_numlogsegments",
        "Kafka's name of rowlog_log_segments.");
    MetricFamily kafkaStart = MetricFamily.gauge("kafka_log_log_logstartoffset",
        "Kafka's name of rowlog_log_start_offset.");
    MetricFamily kafkaEnd = MetricFamily.gauge("kafka_log_log_logendoffset", "Kafka's name of rowlog_log_end_offset.");
    for (TopicPartition name : engine.partitions()) {
      Optional<PartitionLog> found = engine.log(name);
      if (found.isEmpty()) {
        continue;
      }
      PartitionLog log = found.get();
      SegmentList list = log.segments();
      long total = list.all().stream().mapToLong(segment -> segment.sizeBytes()).sum();
      long active = Math.min(total, list.active().sizeBytes());
      DirtyRange range = ranges.get(name);
      long clean = range == null ? 0 : Math.min(range.cleanBytes(), total - active);
      Map<String, String> topic = Map.of("topic", name.topic());
      Map<String, String> kafka = Map.of("topic", name.topic(), "partition", Integer.toString(name.partition()));
      bytes = bytes.with(clean, Map.of("topic", name.topic(), "state", "clean"))
          .with(total - active - clean, Map.of("topic", name.topic(), "state", "dirty"))
          .with(active, Map.of("topic", name.topic(), "state", "active"));
      segments = segments.with(list.all().size(), topic);
      start = start.with(log.logStartOffset(), topic);
      end = end.with(log.highWatermark(), topic);
      ratio = range == null ? ratio : ratio.with(range.ratio(), topic);
      kafkaSize = kafkaSize.with(total, kafka);
      kafkaSegments = kafkaSegments.with(list.all().size(), kafka);
      kafkaStart = kafkaStart.with(log.logStartOffset(), kafka);
      kafkaEnd = kafkaEnd.with(log.highWatermark(), kafka);
    }
    return List.of(bytes, segments, start, end, ratio,
        MetricFamily.gauge("rowlog_log_failed", "Logs that could not be opened.").with(engine.failedLogs().size()),
        kafkaSize, kafkaSegments, kafkaStart, kafkaEnd);
  }

  private static List<MetricFamily> cleaner(LogEngine engine, Map<TopicPartition, DirtyRange> ranges, long nowMs) {
    CleanerTotals totals = engine.cleaner().totals();
    int uncleanable = engine.cleaner().failures().size();
    double maxDirty = ranges.values().stream().mapToDouble(DirtyRange::ratio).max().orElse(0);
    MetricFamily success = MetricFamily.gauge("rowlog_cleaner_last_success_timestamp_seconds",
        "When a pass last succeeded; not there before the first.");
    MetricFamily round = MetricFamily.gauge("kafka_log_logcleanermanager_time_since_last_run_ms",
        "Since the cleaner last looked for something to clean.");
    return List.of(
        MetricFamily.counter("rowlog_cleaner_runs_total", "Passes over a log.")
            .with(totals.passes(), Map.of("result", "success")).with(totals.failures(), Map.of("result", "failure")),
        MetricFamily.counter("rowlog_cleaner_bytes_read_total", "Bytes that passes read, each walk counted.")
            .with(totals.bytesRead()),
        MetricFamily.counter("rowlog_cleaner_bytes_written_total", "Bytes that passes wrote.")
            .with(totals.bytesWritten()),
        MetricFamily.counter("rowlog_cleaner_records_removed_total", "Records that passes left out.")
            .with(totals.recordsIn() - totals.recordsOut()),
        MetricFamily.counter("rowlog_cleaner_tombstones_removed_total", "Tombstones whose delete horizon had come.")
            .with(totals.tombstonesRemoved()),
        MetricFamily.gauge("rowlog_cleaner_uncleanable_logs", "Logs whose last pass failed.").with(uncleanable),
        totals.lastSuccessMs() == 0 ? success : success.with(totals.lastSuccessMs() / MS_A_SECOND),
        MetricFamily.gauge("kafka_log_logcleanermanager_max_dirty_percent", "Of the dirtiest log.")
            .with(PERCENT * maxDirty),
        totals.lastRoundMs() == 0 ? round : round.with(Math.max(0, nowMs - totals.lastRoundMs())),
        MetricFamily.gauge("kafka_log_logcleanermanager_uncleanable_partitions_count",
            "Kafka's name of rowlog_cleaner_uncleanable_logs.").with(uncleanable),
        MetricFamily
            .gauge("kafka_log_logcleaner_cleaner_recopy_percent", "Bytes written of bytes read by the last pass.")
            .with(PERCENT * totals.lastRecopy()),
        MetricFamily.gauge("kafka_log_logcleaner_deadthreadcount", "1 where the cleaner's thread ended by itself.")
            .with(totals.isThreadDead() ? 1 : 0));
  }
}
