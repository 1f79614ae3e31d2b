package dev.rowlog.engine.cleaner.io;

/**
 * Bytes that a pass has read and written: counted, throttled, and the point where it notices that it must stop. One
 * thread.
 */
public final class PassIo {
  /** How often throttle and stop signal are looked at. */
  private static final long STEP_BYTES = 256 << 10;

  private final Throttle throttle;
  private final StopSignal stop;
  private long bytesRead;
  private long bytesWritten;
  private long sinceStep;

  public PassIo(Throttle throttle, StopSignal stop) {
    this.throttle = throttle;
    this.stop = stop;
  }

  public void read(int bytes) {
    bytesRead += bytes;
    step(bytes);
  }

  public void wrote(int bytes) {
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
  public void checkNotStopped() {
    if (stop.isGiven()) {
      throw new CleaningAbortedException();
    }
  }

  public long bytesRead() {
    return bytesRead;
  }

  public long bytesWritten() {
    return bytesWritten;
  }
}
