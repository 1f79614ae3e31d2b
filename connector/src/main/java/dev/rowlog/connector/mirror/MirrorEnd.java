package dev.rowlog.connector.mirror;

import java.util.Objects;

/**
 * How a mirror ended.
 *
 * @param message one sentence with what to do; empty after a request
 */
public record MirrorEnd(Kind kind, String message) {

  /** What the exit code follows from. */
  public enum Kind {
    /** Someone asked for it: everything whole was committed. */
    REQUESTED,
    /** A failure of ours: exit code 1. */
    FAILED,
    /** The database or the machine has to be put right first: exit code 3. */
    ENVIRONMENT
  }

  public MirrorEnd {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(message, "message");
  }
}
