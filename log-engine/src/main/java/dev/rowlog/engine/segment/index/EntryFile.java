package dev.rowlog.engine.segment.index;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The file of an index: bytes that are appended, cut and made durable. Opened at the first write. One thread. */
public final class EntryFile {
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
  public static EntryFile create(Disk disk, Path path) {
    return new EntryFile(disk, path, disk.create(path), 0);
  }

  /** One that is there, of which the first {@code sizeBytes} are in use. */
  public static EntryFile existing(Disk disk, Path path, long sizeBytes) {
    return new EntryFile(disk, path, null, sizeBytes);
  }

  /** Bytes in use. */
  public long sizeBytes() {
    return sizeBytes;
  }

  public void append(ByteBuffer bytes) {
    int count = bytes.remaining();
    if (count > 0) {
      open().write(bytes, sizeBytes);
      sizeBytes += count;
    }
  }

  /** Cuts to {@code size} bytes, reserved space and the rest of a failed write too. */
  public void truncate(long size) {
    DiskFile target = open();
    if (target.size() > size) {
      target.truncate(size);
    }
    sizeBytes = size;
  }

  public void sync() {
    open().sync();
  }

  public void moved(Path newPath) {
    path = newPath;
  }

  public void close() {
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
