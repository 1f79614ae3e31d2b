package dev.rowlog.engine.inspect.dump;

import dev.rowlog.engine.record.Compression;

/**
 * The header of one batch, and where it lies.
 *
 * @param position bytes from the start of the {@code .log}
 * @param lastOffset inclusive
 * @param isValid the CRC holds
 * @param isCommitted its last offset lies below the high watermark
 */
public record BatchDescription(
    long position,
    int sizeBytes,
    long baseOffset,
    long lastOffset,
    int recordCount,
    Compression compression,
    long baseTimestamp,
    long maxTimestamp,
    long producerId,
    short producerEpoch,
    int baseSequence,
    int partitionLeaderEpoch,
    boolean isTransactional,
    boolean isControl,
    boolean hasDeleteHorizon,
    int crc,
    boolean isValid,
    boolean isCommitted) {}
