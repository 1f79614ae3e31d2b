package dev.rowlog.engine.disk;

/** The machine of a {@link SimulatedDisk} is down: thrown by the call at which it went, and by every later one. */
public final class CrashException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CrashException(String call) {
    super("crashed at: " + call);
  }
}
