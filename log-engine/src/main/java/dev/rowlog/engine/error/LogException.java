package dev.rowlog.engine.error;

/**
 * Any failure of the log engine; unchecked.
 *
 * <p>The message says what, where, found and expected, and what to do where there is something to do.
 */
public abstract sealed class LogException extends RuntimeException
    permits CorruptLogException,
    DirectoryInUseException,
    DiskFailureException,
    InvalidConfigException,
    InvalidRecordException,
    LogClosedException,
    OffsetOutOfRangeException,
    RecordTooLargeException,
    UnknownTopicException,
    UnsupportedFormatException {

  protected LogException(String message, Throwable cause) {
    super(message, cause);
  }
}
