package dev.rowlog.engine.cleaner.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThrottleTest {
  private long nowNanos = 1_000;
  private long pausedNanos;

  @Test
  void shouldHoldALongRunToTheLimit() {
    // Given a megabyte a second
    Throttle throttle = throttle(1_000_000);
    long start = nowNanos;

    // When ten megabytes come as fast as they are let through
    for (int i = 0; i < 1_000; i++) {
      throttle.acquire(10_000);
    }

    // Then
    double seconds = (nowNanos - start) / 1e9;
    assertThat(10_000_000 / seconds).isCloseTo(1_000_000, within(100_000.0));
  }

  @Test
  void shouldNotPauseWhenSlowerThanTheLimit() {
    // Given
    Throttle throttle = throttle(1_000_000);

    // When
    for (int i = 0; i < 100; i++) {
      nowNanos += TimeUnit.MILLISECONDS.toNanos(20);
      throttle.acquire(10_000);
    }

    // Then
    assertThat(pausedNanos).isZero();
  }

  @Test
  void shouldNotPauseWithoutALimit() {
    // Given
    Throttle throttle = throttle(Double.MAX_VALUE);

    // When
    throttle.acquire(Long.MAX_VALUE);

    // Then
    assertThat(pausedNanos).isZero();
  }

  private Throttle throttle(double bytesPerSecond) {
    return new Throttle(bytesPerSecond, () -> nowNanos, nanos -> {
      pausedNanos += nanos;
      nowNanos += nanos;
    });
  }
}
