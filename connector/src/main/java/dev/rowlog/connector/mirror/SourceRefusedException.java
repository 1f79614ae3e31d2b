package dev.rowlog.connector.mirror;

/** The source cannot be mirrored as it is, or as it was asked for; the message is one sentence with the cure. */
public final class SourceRefusedException extends RuntimeException {
  public SourceRefusedException(String sentence) {
    super(sentence);
  }

  public SourceRefusedException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
