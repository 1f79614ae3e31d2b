package dev.rowlog.engine.log;

import java.nio.file.Path;
import java.util.List;

/**
 * What the opening of a log found and did. Immutable.
 *
 * @param cleanStop the log was closed before, so that nothing was scanned
 * @param scannedSegments segments whose batches were all checked
 * @param cutBytes bytes of {@code .log} files that were cut: torn tails, and what lay beyond the last commit
 * @param lostRanges offsets that valid bytes once held and that cannot be read
 * @param notes what else was put in order, a sentence each
 */
public record RecoveryReport(
    boolean cleanStop, int scannedSegments, long cutBytes, List<LostRange> lostRanges, List<String> notes) {
  public RecoveryReport {
    lostRanges = List.copyOf(lostRanges);
    notes = List.copyOf(notes);
  }

  /**
   * Records that were there and are lost to the log: behind a corrupt batch that was never known to be durable.
   *
   * @param firstOffset inclusive
   * @param endOffset exclusive
   * @param setAside files with the bytes that were taken out, for a rescue by hand
   */
  public record LostRange(long firstOffset, long endOffset, List<Path> setAside) {
    public LostRange {
      setAside = List.copyOf(setAside);
    }
  }
}
