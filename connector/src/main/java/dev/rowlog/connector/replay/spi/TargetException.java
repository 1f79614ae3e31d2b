package dev.rowlog.connector.replay.spi;

/** A target that cannot go on: for now, or until somebody puts it right. The message is one sentence without secrets. */
public final class TargetException extends RuntimeException {
  private final boolean retryable;

  private TargetException(String message, boolean retryable, Throwable cause) {
    super(message, cause);
    this.retryable = retryable;
  }

  /** Another attempt may succeed: it does not answer, is overloaded, is starting. */
  public static TargetException unavailable(String message, Throwable cause) {
    return new TargetException(message, true, cause);
  }

  /** No attempt will succeed before something is changed: what, is said. */
  public static TargetException refused(String message, Throwable cause) {
    return new TargetException(message, false, cause);
  }

  public boolean isRetryable() {
    return retryable;
  }
}
