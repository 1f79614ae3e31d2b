package dev.rowlog.engine.error;

import java.nio.file.Path;

/** Bytes in a file of the log that cannot be what was written there. */
public final class CorruptLogException extends LogException {
  private final transient Path file;
  private final long position;

  /**
   * @param file the file that holds the bad bytes
   * @param position byte position in the file, 0-based; -1 where the whole file is meant
   * @param problem found versus expected
   */
  public CorruptLogException(Path file, long position, String problem) {
    this(file, position, problem, null);
  }

  public CorruptLogException(Path file, long position, String problem, Throwable cause) {
    super(position < 0 ? file + ": " + problem : file + " at position " + position + ": " + problem, cause);
    this.file = file;
    this.position = position;
  }

  public Path file() {
    return file;
  }

  /** Byte position in {@link #file()}, or -1. */
  public long position() {
    return position;
  }
}
