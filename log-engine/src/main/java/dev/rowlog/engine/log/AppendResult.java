package dev.rowlog.engine.log;

/**
 * Where a batch went.
 *
 * @param baseOffset offset of its first record
 * @param nextOffset log end offset after it
 * @param segmentBaseOffset the segment that took it
 * @param position byte position of the batch there
 */
public record AppendResult(long baseOffset, long nextOffset, long segmentBaseOffset, long position) {}
