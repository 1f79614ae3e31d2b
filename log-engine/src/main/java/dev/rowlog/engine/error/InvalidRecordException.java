package dev.rowlog.engine.error;

/** A record that a log must not take: no key in a compacted log, offsets that go back. */
public final class InvalidRecordException extends LogException {
  public InvalidRecordException(String message) {
    super(message, null);
  }
}
