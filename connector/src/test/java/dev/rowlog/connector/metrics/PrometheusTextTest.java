package dev.rowlog.connector.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {

  @Test
  void shouldEscapeLabelsAndWriteWholeNumbersWithoutExponent() {
    // Given
    MetricFamily bytes = MetricFamily.gauge("rowlog_x_bytes", "Of x.")
        .with(12_345_678_901L, Map.of("topic", "a\"b\\c\nd")).with(0.25, Map.of("topic", "e", "state", "clean"));

    // When
    String text = PrometheusText.of(List.of(bytes, MetricFamily.gauge("rowlog_unknown", "Not there.")));

    // Then
    assertThat(text).isEqualTo("# HELP rowlog_x_bytes Of x.\n# TYPE rowlog_x_bytes gauge\n"
        + "rowlog_x_bytes{topic=\"a\\\"b\\\\c\\nd\"} 12345678901\n"
        + "rowlog_x_bytes{state=\"clean\",topic=\"e\"} 0.25\n");
    assertThat(PrometheusLines.parse(text).samples()).hasSize(2);
  }

  @Test
  void shouldCountATransactionInEachBucketAboveIt() {
    // Given
    MirrorCounters counters = new MirrorCounters();

    // When
    counters.transaction(0.03);
    counters.transaction(-5);
    counters.transaction(1000);
    PrometheusLines lines = PrometheusLines.parse(PrometheusText.of(counters.families()));

    // Then
    assertThat(lines.value("rowlog_commit_to_durable_seconds_bucket{le=0.005}")).isEqualTo(1);
    assertThat(lines.value("rowlog_commit_to_durable_seconds_bucket{le=0.05}")).isEqualTo(2);
    assertThat(lines.value("rowlog_commit_to_durable_seconds_bucket{le=300.0}")).isEqualTo(2);
    assertThat(lines.value("rowlog_commit_to_durable_seconds_bucket{le=+Inf}")).isEqualTo(3);
    assertThat(lines.value("rowlog_commit_to_durable_seconds_sum{}")).isEqualTo(1000.03);
    assertThat(lines.value("rowlog_source_transactions_total{}")).isEqualTo(3);
  }
}
