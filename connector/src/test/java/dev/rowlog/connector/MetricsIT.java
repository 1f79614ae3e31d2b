package dev.rowlog.connector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.metrics.PrometheusLines;
import dev.rowlog.connector.mirror.CleanRequest;
import dev.rowlog.connector.postgres.Eventually;
import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import dev.rowlog.connector.postgres.UtcJvm;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code /metrics} of a mirror that runs. */
@ExtendWith(UtcJvm.class)
class MetricsIT {

  @TempDir
  Path data;

  @Test
  void shouldTellLagCountersLogsCleanerAndSlot() throws Exception {
    try (TestDatabase database = PostgresFixture.shared().newDatabase()) {
      // Given
      database.execute("create table t (id int primary key, n int, v text)",
          "alter table t alter column v set storage external",
          "insert into t select i, 0, repeat('x', 3000) from generate_series(1, 10) i");
      try (RunningMirror mirror = RunningMirror.start(database, data, "public.t")) {
        // When
        database.execute("update t set n = 1 where id <= 4", "delete from t where id = 10",
            "begin; insert into t values (99, 1, 'gone'); rollback");
        mirror.catchUp();
        mirror.app().clean(new CleanRequest(List.of(), true, Map.of()));
        Eventually.holds("the slot was asked for", RunningMirror.LONG,
            () -> mirror.app().metrics().contains("rowlog_source_slot_retained_bytes"));
        HttpResponse<String> answer = HttpClient.newHttpClient().send(
            HttpRequest.newBuilder(URI.create(mirror.app().httpAddress().orElseThrow() + "/metrics")).build(),
            HttpResponse.BodyHandlers.ofString());

        // Then
        assertThat(answer.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/plain; version=0.0.4");
        PrometheusLines lines = PrometheusLines.parse(answer.body());
        assertThat(lines.value("rowlog_state{state=streaming}")).isEqualTo(1);
        assertThat(lines.value("rowlog_source_lag_seconds{}")).isBetween(0.0, 60.0);
        assertThat(lines.value("rowlog_source_lag_bytes{}")).isBetween(0.0, 1e9);
        assertThat(lines.value("rowlog_source_slot_retained_bytes{}")).isBetween(1.0, 1e9);
        assertThat(lines.value("rowlog_source_transactions_total{}")).isEqualTo(2);
        assertThat(lines.value("rowlog_commit_to_durable_seconds_count{}")).isEqualTo(2);
        assertThat(lines.value("rowlog_log_records_total{kind=row, topic=t.public.t}")).isEqualTo(4);
        assertThat(lines.value("rowlog_log_records_total{kind=tombstone, topic=t.public.t}")).isEqualTo(1);
        assertThat(lines.value("rowlog_log_written_bytes_total{topic=t.public.t}")).isBetween(12_000.0, 13_000.0);
        assertThat(lines.value("rowlog_toast_fills_total{topic=t.public.t}")).isEqualTo(4);
        assertThat(lines.value("rowlog_snapshot_rows{table=public.t}")).isEqualTo(10);
        assertThat(lines.value("rowlog_log_end_offset{topic=t.public.t}")).isEqualTo(15);
        assertThat(lines.value("rowlog_log_bytes{state=clean, topic=t.public.t}")).isPositive();
        assertThat(lines.value("rowlog_cleaner_runs_total{result=success}")).isPositive();
        assertThat(lines.value("rowlog_cleaner_records_removed_total{}")).isEqualTo(5);
        assertThat(lines.value("kafka_log_log_logendoffset{partition=0, topic=t.public.t}")).isEqualTo(15);
        assertThat(lines.value("kafka_log_logcleaner_deadthreadcount{}")).isZero();
        assertThat(answer.body()).doesNotContain(database.password() + "@");
        assertThat(lines.types().keySet()).allSatisfy(name -> assertThat(documentation()).contains("`" + name + "`"));
      }
    }
  }

  private static String documentation() throws Exception {
    return Files.readString(Path.of("..", "docs", "operations.md"));
  }
}
