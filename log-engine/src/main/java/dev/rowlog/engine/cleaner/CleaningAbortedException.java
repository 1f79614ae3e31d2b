package dev.rowlog.engine.cleaner;

/** Leaves a pass in the middle because the cleaner is being closed; never leaves the package. */
final class CleaningAbortedException extends RuntimeException {
  CleaningAbortedException() {
    super("the cleaner is being closed", null, false, false);
  }
}
