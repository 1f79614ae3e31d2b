package dev.rowlog.engine.disk;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Small text files that are replaced whole: a reader, and a crash, finds the old text or the new one. One writer a
 * file.
 */
public final class DurableTextFile {
  private DurableTextFile() {}

  /** Durable when it returns: temporary file, sync, rename, sync of the folder. */
  public static void write(Disk disk, Path file, String text) {
    Path directory = file.toAbsolutePath().getParent();
    Path temporary = temporary(file);
    try (DiskFile target = disk.create(temporary)) {
      target.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
      target.sync();
    }
    disk.rename(temporary, file);
    disk.syncDirectory(directory);
  }

  /** The name that a text has until it is whole; a crash may leave it behind. */
  public static Path temporary(Path file) {
    return file.resolveSibling(file.getFileName() + ".tmp");
  }

  public static String read(Disk disk, Path file) {
    return new String(disk.readAll(file), StandardCharsets.UTF_8);
  }

  /** Lines with anything on them. */
  public static List<String> lines(Disk disk, Path file) {
    return read(disk, file).lines().filter(line -> !line.isBlank()).toList();
  }
}
