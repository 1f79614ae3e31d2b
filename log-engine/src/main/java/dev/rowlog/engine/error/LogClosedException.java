package dev.rowlog.engine.error;

/** The log was closed, or closed itself for writing after a failed sync; it must be opened again from disk. */
public final class LogClosedException extends LogException {
  public LogClosedException(String message, Throwable cause) {
    super(message, cause);
  }
}
