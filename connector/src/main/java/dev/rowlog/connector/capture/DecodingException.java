package dev.rowlog.connector.capture;

/** An event of the stream that is not what it has to be: the capture ends rather than guess. */
public final class DecodingException extends RuntimeException {
  public DecodingException(String message) {
    super(message);
  }
}
