package dev.rowlog.connector.metrics;

import dev.rowlog.connector.mirror.MirrorState;
import dev.rowlog.connector.mirror.MirrorStatus;
import dev.rowlog.connector.mirror.TableState;
import dev.rowlog.connector.mirror.TableStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The mirror's own families. Pure. */
public final class MirrorMetrics {
  private static final double MS_A_SECOND = 1000;

  private MirrorMetrics() {}

  /**
   * @param lag how far behind the source; empty before the first heartbeat
   * @param source empty while the stream does not flow
   */
  public static List<MetricFamily> of(
      MirrorStatus status, Optional<Duration> lag, Optional<SourceFigures> source, MirrorCounters counters) {
    List<MetricFamily> families = new ArrayList<>();
    families.add(state(status));
    MetricFamily seconds = MetricFamily.gauge("rowlog_source_lag_seconds", "How far the logs are behind the source.");
    families.add(lag.map(behind -> seconds.with(seconds(behind))).orElse(seconds));
    MetricFamily age = MetricFamily.gauge("rowlog_heartbeat_age_seconds",
        "Since the newest heartbeat that came round through the logs was sent.");
    families.add(status.lag() == null ? age : age.with(seconds(status.lag())));
    families.addAll(slot(status, source));
    families.add(MetricFamily.counter("rowlog_engine_restarts_total", "New starts of the capture.")
        .with(status.restarts()));
    families.add(MetricFamily.gauge("rowlog_start_timestamp_seconds", "When the process opened its data directory.")
        .with(status.startedAt().toEpochMilli() / MS_A_SECOND));
    families.addAll(tables(status));
    families.addAll(counters.families());
    return families;
  }

  private static MetricFamily state(MirrorStatus status) {
    MetricFamily family = MetricFamily.gauge("rowlog_state", "1 for the state that the mirror is in.");
    for (MirrorState state : MirrorState.values()) {
      family = family.with(state == status.state() ? 1 : 0, Map.of("state", state.name().toLowerCase(Locale.ROOT)));
    }
    return family;
  }

  private static List<MetricFamily> slot(MirrorStatus status, Optional<SourceFigures> source) {
    MetricFamily lag = MetricFamily.gauge("rowlog_source_lag_bytes",
        "Write-ahead log that is written and not yet in the logs.");
    MetricFamily retained = MetricFamily.gauge("rowlog_source_slot_retained_bytes",
        "Write-ahead log that the source keeps for the slot.");
    MetricFamily safe = MetricFamily.gauge("rowlog_source_slot_safe_bytes",
        "What the source may still write before it gives the slot up; not there where nothing bounds it.");
    if (source.isPresent()) {
      SourceFigures figures = source.get();
      if (status.committedLsn() != null) {
        lag = lag.with(Math.max(0, figures.insertLsn().value() - status.committedLsn().value()));
      }
      if (figures.restartLsn() != null) {
        retained = retained.with(Math.max(0, figures.insertLsn().value() - figures.restartLsn().value()));
      }
      if (figures.safeBytes().isPresent()) {
        safe = safe.with(figures.safeBytes().getAsLong());
      }
    }
    return List.of(lag, retained, safe);
  }

  private static List<MetricFamily> tables(MirrorStatus status) {
    MetricFamily streaming = MetricFamily.gauge("rowlog_table_streaming", "1 while the table's changes are mirrored.");
    MetricFamily snapshot = MetricFamily.gauge("rowlog_snapshot_rows", "Rows read by this run's first snapshot.");
    for (TableStatus table : status.tables()) {
      Map<String, String> labels = Map.of("table", table.table().toString());
      streaming = streaming.with(table.state() == TableState.STREAMING ? 1 : 0, labels);
      snapshot = snapshot.with(table.snapshotRows(), labels);
    }
    return List.of(streaming, snapshot);
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / MS_A_SECOND;
  }
}
