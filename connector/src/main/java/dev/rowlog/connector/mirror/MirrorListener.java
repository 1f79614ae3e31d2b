package dev.rowlog.connector.mirror;

import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.engine.cleaner.CleaningReport;
import java.time.Duration;

/**
 * Hears what a mirror does, as it happens. Called by the mirror's own threads, never under a lock, one call at a time
 * a thread: return soon.
 */
public interface MirrorListener {

  /** Hears nothing. */
  MirrorListener NONE = new MirrorListener() {
  };

  /**
   * Records of each transaction that {@link #committed} is to carry, at most; they are held in memory until their
   * commit.
   */
  default int recordsPerTransaction() {
    return 0;
  }

  default void tableRefused(TableId table, String reason) {}

  /** The slot cannot be made yet, and why, in one sentence; it is tried again. */
  default void slotWaiting(String slot, String reason) {}

  default void slotCreated(String slot, Lsn consistentPoint) {}

  /**
   * @param total rows that the planner expects; 0 where it does not know
   */
  default void snapshotProgress(TableId table, long rows, long total) {}

  /** All tables are committed with all their rows. */
  default void snapshotDone(long rows, Duration elapsed) {}

  /** The stream flows, from this position on. */
  default void streaming(Lsn from) {}

  default void committed(CommittedTransaction transaction) {}

  default void tableStopped(TableId table, String reason) {}

  /** The stream broke; the next start comes after {@code pause}. */
  default void failure(String message, Duration pause) {}

  /** A new start after a failure. */
  default void restarted(int restarts) {}

  default void cleaned(CleaningReport report) {}

  default void stopped(MirrorEnd end) {}
}
