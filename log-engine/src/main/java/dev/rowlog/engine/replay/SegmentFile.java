package dev.rowlog.engine.replay;

import dev.rowlog.engine.disk.DiskFile;

/**
 * A {@code .log} file of a directory that is being read.
 *
 * @param file open for reading; its owner closes it
 */
public record SegmentFile(long baseOffset, DiskFile file) {}
