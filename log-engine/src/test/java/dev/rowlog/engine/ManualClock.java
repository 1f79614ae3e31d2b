package dev.rowlog.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands until it is moved. Any thread. */
public final class ManualClock implements InstantSource {
  private final AtomicLong millis;

  public ManualClock(long millis) {
    this.millis = new AtomicLong(millis);
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis.get());
  }

  public void advance(Duration by) {
    millis.addAndGet(by.toMillis());
  }
}
