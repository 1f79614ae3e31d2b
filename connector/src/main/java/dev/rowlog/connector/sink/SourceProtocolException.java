package dev.rowlog.connector.sink;

/**
 * The stream is not what it must be: the capture ends, everything uncommitted is cut, and it starts again from the
 * last commit.
 */
public final class SourceProtocolException extends RuntimeException {
  public SourceProtocolException(String message) {
    super(message);
  }
}
