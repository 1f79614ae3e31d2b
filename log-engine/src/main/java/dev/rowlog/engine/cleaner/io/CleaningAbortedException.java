package dev.rowlog.engine.cleaner.io;

/** Leaves a pass in the middle because the cleaner is being closed; never leaves the package. */
public final class CleaningAbortedException extends RuntimeException {
  public CleaningAbortedException() {
    super("the cleaner is being closed", null, false, false);
  }
}
