package dev.rowlog.connector.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {

  @Test
  void shouldDoubleUpToAMinuteAndStayThere() {
    // Given
    Backoff backoff = Backoff.none();

    // Then
    assertThat(backoff.pause()).isZero();
    for (int seconds : new int[]{1, 2, 4, 8, 16, 32, 60, 60, 60}) {
      backoff = backoff.afterFailure();
      assertThat(backoff.pause()).isEqualTo(Duration.ofSeconds(seconds));
    }
  }
}
