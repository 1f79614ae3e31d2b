package dev.rowlog.engine.log;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Small text files that are replaced whole: a reader, and a crash, finds the old text or the new one. One writer a
 * file.
 */
final class DurableTextFile {
  private DurableTextFile() {}

  /** Durable when it returns: temporary file, sync, rename, sync of the folder. */
  static void write(Disk disk, Path file, String text) {
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
  static Path temporary(Path file) {
    return file.resolveSibling(file.getFileName() + ".tmp");
  }

  static String read(Disk disk, Path file) {
    return new String(disk.readAll(file), StandardCharsets.UTF_8);
  }

  /** Lines with anything on them. */
  static List<String> lines(Disk disk, Path file) {
    return read(disk, file).lines().filter(line -> !line.isBlank()).toList();
  }
}
