package dev.rowlog.engine.cleaner;

/**
 * Bytes that a pass has read and written: counted, throttled, and the point where it notices that it must stop. One
 * thread.
 */
final class PassIo {
  /** How often throttle and stop signal are looked at. */
  private static final long STEP_BYTES = 256 << 10;

  private final Throttle throttle;
  private final StopSignal stop;
  private long bytesRead;
  private long bytesWritten;
  private long sinceStep;

  PassIo(Throttle throttle, StopSignal stop) {
    this.throttle = throttle;
    this.stop = stop;
  }

  void read(int bytes) {
    bytesRead += bytes;
    step(bytes);
  }

  void wrote(int bytes) {
    bytesWritten += bytes;
    step(bytes);
  }

  private void step(int bytes) {
    sinceStep += bytes;
    if (sinceStep >= STEP_BYTES) {
      throttle.acquire(sinceStep);
      sinceStep = 0;
      checkNotStopped();
    }
  }

  /**
   * @throws CleaningAbortedException where the cleaner is being closed
   */
  void checkNotStopped() {
    if (stop.isGiven()) {
      throw new CleaningAbortedException();
    }
  }

  long bytesRead() {
    return bytesRead;
  }

  long bytesWritten() {
    return bytesWritten;
  }
}
