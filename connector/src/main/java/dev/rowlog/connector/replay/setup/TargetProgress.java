package dev.rowlog.connector.replay.setup;

import dev.rowlog.connector.metrics.MetricFamily;
import dev.rowlog.connector.replay.spi.TargetPosition;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** How far one target is. Written by its thread, read by any: guarded by its monitor. */
final class TargetProgress {
  private final String name;
  private TargetPosition position = TargetPosition.NONE;
  private long records;
  private long failures;
  private boolean isRunning = true;

  TargetProgress(String name) {
    this.name = name;
  }

  synchronized void at(TargetPosition newest) {
    position = newest;
  }

  synchronized void moved(long more) {
    records += more;
  }

  synchronized void failed() {
    failures++;
  }

  /** Nothing more will come of it. */
  synchronized void ended() {
    isRunning = false;
  }

  private record Reading(String name, TargetPosition position, long records, long failures, boolean isRunning) {}

  private synchronized Reading read() {
    return new Reading(name, position, records, failures, isRunning);
  }

  static List<MetricFamily> families(List<TargetProgress> targets, ToLongFunction<String> end) {
    MetricFamily rows = MetricFamily.counter("rowlog_replay_rows_total", "Records brought into a target.");
    MetricFamily lag = MetricFamily.gauge("rowlog_replay_lag_records",
        "Committed records that a target does not have.");
    MetricFamily offset = MetricFamily.gauge("rowlog_replay_next_offset",
        "Exclusive end of what a target has of a log.");
    MetricFamily commit = MetricFamily.gauge("rowlog_replay_commit_offset", "The commit that a target stands at.");
    MetricFamily failures = MetricFamily.counter("rowlog_replay_failures_total",
        "Attempts that failed and were repeated.");
    MetricFamily running = MetricFamily.gauge("rowlog_replay_running",
        "0 where a target was given up: the log says why.");
    for (TargetProgress target : targets) {
      Reading now = target.read();
      Map<String, String> label = Map.of("target", now.name());
      rows = rows.with(now.records(), label);
      failures = failures.with(now.failures(), label);
      running = running.with(now.isRunning() ? 1 : 0, label);
      commit = commit.with(now.position().commitOffset(), label);
      for (var table : now.position().tables().entrySet()) {
        Map<String, String> labels = Map.of("target", now.name(), "topic", table.getKey());
        long next = table.getValue().nextOffset();
        offset = offset.with(next, labels);
        lag = lag.with(Math.max(0, end.applyAsLong(table.getKey()) - next), labels);
      }
    }
    return List.of(rows, lag, offset, commit, failures, running);
  }
}
