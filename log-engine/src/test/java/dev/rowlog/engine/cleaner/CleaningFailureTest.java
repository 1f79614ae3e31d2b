package dev.rowlog.engine.cleaner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CleaningFailureTest {
  @Test
  void shouldDoubleTheWaitUpToAnHour() {
    // Given
    RuntimeException reason = new RuntimeException("disk full");
    List<Long> waits = new ArrayList<>();

    // When
    CleaningFailure failure = null;
    for (int i = 0; i < 60; i++) {
      failure = CleaningFailure.after(failure, reason, 1_000, 15_000);
      waits.add(failure.retryAtMs() - 1_000);
    }

    // Then
    assertThat(waits).startsWith(15_000L, 30_000L, 60_000L, 120_000L).endsWith(3_600_000L).isSorted();
    assertThat(failure.attempts()).isEqualTo(60);
    assertThat(failure.reason()).isSameAs(reason);
  }
}
