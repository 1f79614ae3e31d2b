package dev.rowlog.engine.replay.view;

import java.util.List;

/**
 * A log as it stood at one commit: every record below the end offset lies in the segments, or was obsolete before that commit.
 *
 * @param segments ascending, each held; the owner of the view releases them
 * @param logStartOffset first readable offset
 * @param endOffset exclusive
 */
public record LogView(
    List<HeldSegment> segments, long logStartOffset, long endOffset, AbortedTransactions abortedTransactions) {
  public LogView {
    segments = List.copyOf(segments);
  }

  public void release() {
    segments.forEach(HeldSegment::release);
  }
}
