package dev.rowlog.connector.serve.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.mirror.MirrorState;
import dev.rowlog.connector.mirror.MirrorStatus;
import dev.rowlog.connector.mirror.TableState;
import dev.rowlog.connector.mirror.TableStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatusJsonTest {
  static final MirrorStatus STATUS = new MirrorStatus(
      MirrorState.STREAMING,
      Instant.parse("2026-03-01T10:00:00Z"),
      Instant.parse("2026-03-01T09:59:58.25Z"),
      "shop",
      "7400000000000000001",
      1,
      "rowlog",
      "rowlog",
      Lsn.parse("0/16B3748"),
      Instant.parse("2026-03-01T10:00:03Z"),
      Duration.ofMillis(42),
      2,
      "connection refused",
      Instant.parse("2026-03-01T10:00:01Z"),
      List.of(
          new TableStatus(new TableId("public", "orders"), "shop.public.orders", TableState.STREAMING, 17, 4096, 10, 12,
              null),
          new TableStatus(new TableId("public", "notes"), "", TableState.REFUSED, 0, 0, 0, 0, "it has no key")));

  static final MirrorStatus EARLY = new MirrorStatus(MirrorState.STARTING, Instant.EPOCH, Instant.EPOCH, "shop", null,
      0, "s", "p",
      null, null, null, 0, null, null, List.of());

  @Test
  void shouldComeBackWholeAfterATripThroughText() throws Exception {
    for (MirrorStatus status : List.of(STATUS, EARLY)) {
      // When
      String text = StatusJson.of(status).toString();

      // Then
      assertThat(StatusJson.parse(new ObjectMapper().readTree(text))).isEqualTo(status);
    }
  }

  @Test
  void shouldNameEveryFieldInSmallLettersWhateverTheLocale() {
    // When
    String text = StatusJson.of(STATUS).toString();

    // Then
    assertThat(text).contains("\"state\":\"streaming\"", "\"committed_lsn\":\"0/16B3748\"", "\"lag_ms\":42",
        "\"last_error_at\":",
        "\"snapshot_rows_total\":12");
  }

  @Test
  void shouldRefuseWhatIsNoStatus() {
    assertThatThrownBy(() -> StatusJson.parse(new ObjectMapper().readTree("{\"state\":\"streaming\"}")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
