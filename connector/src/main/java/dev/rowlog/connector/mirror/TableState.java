package dev.rowlog.connector.mirror;

/** Where one table stands. */
public enum TableState {
  /** Its first snapshot has not begun, or the mirror is only starting. */
  WAITING,
  /** Its rows are being read; readers get nothing of it yet. */
  SNAPSHOTTING,
  /** Its changes are mirrored, now. */
  STREAMING,
  /** Its changes were mirrored and will be again: the stream broke and starts again. */
  RECOVERING,
  /** Cannot be mirrored exactly and was left out at the start. */
  REFUSED,
  /** Was mirrored and cannot be any longer: later changes are dropped. */
  STOPPED
}
