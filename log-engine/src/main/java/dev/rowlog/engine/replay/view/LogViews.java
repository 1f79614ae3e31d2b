package dev.rowlog.engine.replay.view;

import java.util.Optional;

/** Where a cursor's views come from: an open log, or a directory that another process may be writing. */
public interface LogViews {

  /** Name of the log, for messages. */
  String name();

  /** The log at its last commit, with at least the segments from {@code fromOffset} on. */
  LogView hold(long fromOffset);

  /** As {@link #hold}, where the end has moved beyond {@code seenEndOffset}; empty otherwise. */
  Optional<LogView> holdIfNewer(long seenEndOffset, long fromOffset);
}
