package dev.rowlog.engine.error;

/** A file of a newer format version, or of a kind that this version does not read. */
public final class UnsupportedFormatException extends LogException {
  public UnsupportedFormatException(String message) {
    super(message, null);
  }
}
