package dev.rowlog.engine.error;

/** An offset below the log start or above the end that may be read. */
public final class OffsetOutOfRangeException extends LogException {
  private final long offset;

  /**
   * @param log name of the log
   * @param first first readable offset
   * @param end one past the last readable offset
   */
  public OffsetOutOfRangeException(String log, long offset, long first, long end) {
    super("offset " + offset + " of " + log + " is out of range: it holds " + first + " to " + end + " (exclusive)",
        null);
    this.offset = offset;
  }

  public long offset() {
    return offset;
  }
}
