package dev.rowlog.engine.cleaner;

import dev.rowlog.engine.log.TopicPartition;

/**
 * What one pass over one log did.
 *
 * @param firstDirtyOffset where the pass began, inclusive
 * @param endOffset where it ended, exclusive: the new cleaner checkpoint
 * @param mapUse share of the offset map that was filled, 0 to 1
 * @param recordsLeftOut records beyond the end that a forced pass could not reach (the active segment, beyond the high watermark)
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
    long wallNanos) {}
