package dev.rowlog.engine.segment;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The file of an index: bytes that are appended, cut and made durable. Opened at the first write. One thread. */
final class EntryFile {
  private final Disk disk;
  private Path path;
  private DiskFile file;
  private long sizeBytes;

  private EntryFile(Disk disk, Path path, DiskFile file, long sizeBytes) {
    this.disk = disk;
    this.path = path;
    this.file = file;
    this.sizeBytes = sizeBytes;
  }

  /** Creates it empty; replaces one of that name. */
  static EntryFile create(Disk disk, Path path) {
    return new EntryFile(disk, path, disk.create(path), 0);
  }

  /** One that is there, of which the first {@code sizeBytes} are in use. */
  static EntryFile existing(Disk disk, Path path, long sizeBytes) {
    return new EntryFile(disk, path, null, sizeBytes);
  }

  /** Bytes in use. */
  long sizeBytes() {
    return sizeBytes;
  }

  void append(ByteBuffer bytes) {
    int count = bytes.remaining();
    if (count > 0) {
      open().write(bytes, sizeBytes);
      sizeBytes += count;
    }
  }

  /** Cuts to {@code size} bytes, reserved space and the rest of a failed write too. */
  void truncate(long size) {
    DiskFile target = open();
    if (target.size() > size) {
      target.truncate(size);
    }
    sizeBytes = size;
  }

  void sync() {
    open().sync();
  }

  void moved(Path newPath) {
    path = newPath;
  }

  void close() {
    if (file != null) {
      DiskFile closing = file;
      file = null;
      closing.close();
    }
  }

  private DiskFile open() {
    if (file == null) {
      file = disk.openForWrite(path);
    }
    return file;
  }
}
