package dev.rowlog.engine.cleaner;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A wall clock that stands still until it is moved. */
final class ManualClock implements InstantSource {
  private final AtomicLong nowMs;

  ManualClock(long nowMs) {
    this.nowMs = new AtomicLong(nowMs);
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(nowMs.get());
  }

  void advance(long ms) {
    nowMs.addAndGet(ms);
  }
}
