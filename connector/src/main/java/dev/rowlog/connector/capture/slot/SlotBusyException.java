package dev.rowlog.connector.capture.slot;

/** The slot could not be made in time, because a transaction that holds an id is still open; try again later. */
public final class SlotBusyException extends RuntimeException {
  public SlotBusyException(String message, Throwable cause) {
    super(message, cause);
  }
}
