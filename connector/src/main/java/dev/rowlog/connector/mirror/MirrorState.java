package dev.rowlog.connector.mirror;

/** Where the mirror as a whole stands. */
public enum MirrorState {
  /** Checks source and tables, makes or checks the slot. */
  STARTING,
  /** Reads the tables for the first time. */
  SNAPSHOTTING,
  /** Follows the change stream. */
  STREAMING,
  /** The stream broke; a new start is due after a pause. */
  RECOVERING,
  /** Ended: on request, or by a failure that no new start can cure. */
  STOPPED
}
