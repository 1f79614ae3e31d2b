package dev.rowlog.connector.capture.slot;

/** The slot cannot go on from the last commit without a gap; the message has the cure. */
public final class SlotRefusedException extends RuntimeException {

  /** Why. */
  public enum Reason {
    /** There is no such slot. */
    MISSING,
    /** A slot of that name is not ours: another plugin, another database, physical, temporary. */
    NOT_OURS,
    /** The server has removed write-ahead log that the slot needs. */
    LOST,
    /** The slot has been read beyond our last commit. */
    AHEAD,
    /** Another cluster answers. */
    OTHER_SYSTEM,
    /** The cluster has another history: failover or restore. */
    OTHER_TIMELINE,
    /** Somebody reads from it now; it may be free in a moment. */
    ACTIVE
  }

  private final Reason reason;

  public SlotRefusedException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
