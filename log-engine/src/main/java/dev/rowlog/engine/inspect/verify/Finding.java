package dev.rowlog.engine.inspect.verify;

import java.nio.file.Path;

/**
 * Something that does not hold.
 *
 * @param position byte position in the file, -1 where the whole file or folder is meant
 * @param problem found versus expected
 */
public record Finding(Path file, long position, String problem) {
  @Override
  public String toString() {
    return position < 0 ? file + ": " + problem : file + " at position " + position + ": " + problem;
  }
}
