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
      backoff = backoff.afterFailure(Duration.ZERO);
      assertThat(backoff.pause()).isEqualTo(Duration.ofSeconds(seconds));
    }
  }

  @Test
  void shouldGrowWhereEachStartStreamsAShortWhile() {
    Backoff backoff = Backoff.none();
    for (int seconds : new int[]{1, 2, 4, 8}) {
      backoff = backoff.afterFailure(Backoff.STEADY.minusMillis(1));
      assertThat(backoff.pause()).isEqualTo(Duration.ofSeconds(seconds));
    }
  }

  @Test
  void shouldBeginAgainAfterAGoodWhileOfStreaming() {
    // Given
    Backoff backoff = Backoff.none().afterFailure(Duration.ZERO).afterFailure(Duration.ZERO);

    // When
    Backoff after = backoff.afterFailure(Backoff.STEADY);

    // Then
    assertThat(after.pause()).isEqualTo(Backoff.FIRST);
  }
}
