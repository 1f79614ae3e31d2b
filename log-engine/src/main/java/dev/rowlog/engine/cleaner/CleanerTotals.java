package dev.rowlog.engine.cleaner;

/**
 * What a cleaner did since its engine was opened, all logs together. Counts of records and bytes as in {@link CleaningReport}, of the passes that
 * succeeded.
 *
 * @param failures passes that failed
 * @param lastRoundMs when it last looked for something to clean, ms since the epoch; 0 for never
 * @param lastSuccessMs when a pass last succeeded, ms since the epoch; 0 for never
 * @param lastRecopy bytes written of bytes read by the last pass, 0 to 1
 * @param isThreadDead true where the background thread was started and has ended by itself
 */
public record CleanerTotals(
    long passes,
    long failures,
    long bytesRead,
    long bytesWritten,
    long recordsIn,
    long recordsOut,
    long tombstonesRemoved,
    long lastRoundMs,
    long lastSuccessMs,
    double lastRecopy,
    boolean isThreadDead) {
  static final CleanerTotals NONE = new CleanerTotals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false);

  CleanerTotals plus(CleaningReport pass, long nowMs) {
    return new CleanerTotals(passes + 1, failures, bytesRead + pass.bytesRead(), bytesWritten + pass.bytesWritten(),
        recordsIn + pass.recordsIn(), recordsOut + pass.recordsOut(), tombstonesRemoved + pass.tombstonesRemoved(),
        lastRoundMs, nowMs, pass.bytesRead() == 0 ? 0 : (double) pass.bytesWritten() / pass.bytesRead(), isThreadDead);
  }

  CleanerTotals plusFailure() {
    return new CleanerTotals(passes, failures + 1, bytesRead, bytesWritten, recordsIn, recordsOut, tombstonesRemoved,
        lastRoundMs, lastSuccessMs, lastRecopy, isThreadDead);
  }

  CleanerTotals lookedAt(long nowMs) {
    return new CleanerTotals(passes, failures, bytesRead, bytesWritten, recordsIn, recordsOut, tombstonesRemoved,
        nowMs, lastSuccessMs, lastRecopy, isThreadDead);
  }

  CleanerTotals withThreadDead(boolean isDead) {
    return new CleanerTotals(passes, failures, bytesRead, bytesWritten, recordsIn, recordsOut, tombstonesRemoved,
        lastRoundMs, lastSuccessMs, lastRecopy, isDead);
  }
}
