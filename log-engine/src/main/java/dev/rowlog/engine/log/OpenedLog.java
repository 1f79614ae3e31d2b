package dev.rowlog.engine.log;

/**
 * What an opening has found of a log, and made of it.
 *
 * @param logStartOffset first readable offset
 * @param recoveryPoint everything below is durable
 * @param openTransactionOffset first offset of a transaction that Kafka has left open; {@link Long#MAX_VALUE} for none
 */
public record OpenedLog(
    SegmentList segments, long logStartOffset, long logEndOffset, long recoveryPoint, long openTransactionOffset,
    RecoveryReport report) {}
