package dev.rowlog.engine.replay;

import dev.rowlog.engine.disk.DiskFile;

/**
 * A {@code .log} file of a directory that is being read.
 *
 * @param file open for reading; its owner closes it
 * @param fileKey the file's identity when it was listed
 */
public record SegmentFile(long baseOffset, DiskFile file, Object fileKey) {}
