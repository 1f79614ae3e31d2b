package dev.rowlog.engine.error;

/**
 * A record, or a batch with it, that is larger than a batch can be. Thrown before anything is written: the log, and what
 * was added to the batch before, are as they were.
 */
public final class RecordTooLargeException extends LogException {
  private final long sizeBytes;
  private final long limitBytes;

  /**
   * @param what what is too large, for the message
   * @param sizeBytes its size
   * @param limitBytes the largest that is possible
   */
  public RecordTooLargeException(String what, long sizeBytes, long limitBytes) {
    super(what + " has " + sizeBytes + " bytes, at most " + limitBytes + " are possible", null);
    this.sizeBytes = sizeBytes;
    this.limitBytes = limitBytes;
  }

  /** Of the batch with the record in it. */
  public long sizeBytes() {
    return sizeBytes;
  }

  public long limitBytes() {
    return limitBytes;
  }
}
