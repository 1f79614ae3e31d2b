package dev.rowlog.connector.replay.loop;

import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.replay.spi.TargetPosition;
import java.time.Duration;

/** Hears what a replay does. Called by the replay's thread. */
public interface ReplayListener {
  ReplayListener NONE = new ReplayListener() {
  };

  /** A table goes on at its position. */
  default void resumed(TableId table, long offset) {}

  /**
   * A table is built from offset zero.
   *
   * @param reason why what is there cannot be kept; empty where nothing is there
   */
  default void building(TableId table, String reason) {}

  /** What was built is what readers get from now on. */
  default void published(TableId table) {}

  /** The table's log misses changes: its rows stand as they were. */
  default void tableStopped(TableId table, String reason) {}

  /** The table is being read from the source: nothing of it is replayed until that is done. */
  default void tableNotComplete(TableId table) {}

  /**
   * A batch is in the target.
   *
   * @param records that were read for it
   * @param recordsLeft at most so many lie before the end that is seen
   */
  default void moved(long records, long recordsLeft) {}

  /** What the target has, after each batch and when it was asked where it stands. */
  default void at(TargetPosition position) {}

  /** Everything committed is there. */
  default void upToDate() {}

  /** Nothing can be replayed yet. */
  default void notReady(String reason) {}

  /** An attempt failed; another follows after the pause. */
  default void retrying(String reason, Duration pause) {}
}
