package dev.rowlog.engine.segment.index;

/**
 * One entry of a transaction index: a transaction that was aborted in this segment.
 *
 * @param lastOffset of its abort marker, inclusive
 * @param lastStableOffset when the marker was written
 */
public record AbortedTransaction(long producerId, long firstOffset, long lastOffset, long lastStableOffset) {}
