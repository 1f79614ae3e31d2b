package dev.rowlog.engine.cleaner;

import dev.rowlog.engine.log.TopicPartition;

/**
 * What one pass over one log did; for a pass of several rounds, all of them together. Counts of records are of
 * those below its end.
 *
 * @param firstDirtyOffset where the pass began, inclusive
 * @param endOffset where it ended, exclusive: the new cleaner checkpoint
 * @param bytesRead by this pass, each walk counted
 * @param bytesWritten by this pass, to {@code .log} files
 * @param bytesBefore size of the segments that it looked at, and {@code bytesAfter} of what they have become
 * @param tombstonesRemoved those whose delete horizon had come; not those that a newer record replaced
 * @param recordsWithoutKey records that had no key and were dropped for it
 * @param mapUse share of the offset map that was filled, 0 to 1
 * @param recordsLeftOut records beyond the end that a forced pass could not reach (the active segment, beyond the
 *     high watermark); 0 for a round of the background cleaner, which does not count them
 */
public record CleaningReport(
    TopicPartition log,
    long firstDirtyOffset,
    long endOffset,
    long recordsIn,
    long recordsOut,
    long bytesRead,
    long bytesWritten,
    long bytesBefore,
    long bytesAfter,
    long tombstonesKept,
    long tombstonesRemoved,
    long recordsWithoutKey,
    long recordsLeftOut,
    double mapUse,
    long wallNanos) {

  /** This round and the one that followed it on the same log, as one pass. */
  CleaningReport then(CleaningReport next) {
    return new CleaningReport(
        log,
        firstDirtyOffset,
        next.endOffset,
        // What the next round found less what this one had left is new to the sum.
        recordsIn + next.recordsIn - recordsOut,
        next.recordsOut,
        bytesRead + next.bytesRead,
        bytesWritten + next.bytesWritten,
        bytesBefore + next.bytesBefore - bytesAfter,
        next.bytesAfter,
        next.tombstonesKept,
        tombstonesRemoved + next.tombstonesRemoved,
        recordsWithoutKey + next.recordsWithoutKey,
        next.recordsLeftOut,
        Math.max(mapUse, next.mapUse),
        wallNanos + next.wallNanos);
  }

  CleaningReport withRecordsLeftOut(long records) {
    return new CleaningReport(
        log,
        firstDirtyOffset,
        endOffset,
        recordsIn,
        recordsOut,
        bytesRead,
        bytesWritten,
        bytesBefore,
        bytesAfter,
        tombstonesKept,
        tombstonesRemoved,
        recordsWithoutKey,
        records,
        mapUse,
        wallNanos);
  }
}
