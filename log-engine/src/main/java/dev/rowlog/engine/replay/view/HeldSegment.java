package dev.rowlog.engine.replay.view;

import dev.rowlog.engine.disk.DiskFile;
import java.nio.file.Path;

/**
 * A {@code .log} file that stays readable until it is released, whatever becomes of its name.
 */
public interface HeldSegment {
  long baseOffset();

  DiskFile file();

  /** Where the bytes lie, for messages; the name may have changed since. */
  Path path();

  /** Bytes that may be read: everything below the view's end offset lies in them. */
  long sizeBytes();

  /** Byte position of a batch that begins at or below {@code offset}; 0 where nothing better is known. */
  long floorPosition(long offset);

  /**
   * Told where a reader has got to, for the next one.
   *
   * @param baseOffset of the batch at {@code position}
   */
  default void readUpTo(long baseOffset, long position) {}

  /** Gives the file back; once. */
  void release();
}
