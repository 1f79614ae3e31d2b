package dev.rowlog.engine.error;

/** No log of that name lies in the data directory. */
public final class UnknownTopicException extends LogException {
  public UnknownTopicException(String message) {
    super(message, null);
  }
}
