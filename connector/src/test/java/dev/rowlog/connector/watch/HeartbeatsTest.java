package dev.rowlog.connector.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {
  @Test
  void shouldTellAnErrorOfItsTimer() throws Exception {
    // Given
    Heartbeats heartbeats = new Heartbeats(() -> {
      throw new SQLException("no source");
    }, null, System::nanoTime, Duration.ofMinutes(1), new Random(1), nanos -> {});
    OutOfMemoryError error = new OutOfMemoryError("Java heap space");
    CompletableFuture<Throwable> told = new CompletableFuture<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
      if (thread.getName().equals("rowlog-heartbeat")) {
        told.complete(failure);
      }
    });

    // When
    try {
      heartbeats.start(() -> {
        throw error;
      });

      // Then
      assertThat(told.get(30, TimeUnit.SECONDS)).isSameAs(error);
    } finally {
      heartbeats.stop();
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }
}
