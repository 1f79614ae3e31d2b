package dev.rowlog.engine.replay.snapshot;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An open {@code .log} of a directory, shared by a snapshot and its cursors; the last release closes it. Any thread.
 */
public final class HeldFile {
  private final long baseOffset;
  private final DiskFile file;
  private final Object fileKey;
  private final AtomicInteger holders = new AtomicInteger(1);

  private HeldFile(long baseOffset, DiskFile file, Object fileKey) {
    this.baseOffset = baseOffset;
    this.file = file;
    this.fileKey = fileKey;
  }

  public static HeldFile open(Disk disk, Path path, long baseOffset, Object fileKey) {
    return new HeldFile(baseOffset, disk.openForRead(path), fileKey);
  }

  public long baseOffset() {
    return baseOffset;
  }

  public DiskFile file() {
    return file;
  }

  /** The file's identity when it was listed. */
  public Object fileKey() {
    return fileKey;
  }

  /** Takes one more hold; false where the last was already released. */
  public boolean retain() {
    return holders.getAndUpdate(holds -> holds == 0 ? 0 : holds + 1) > 0;
  }

  public void release() {
    if (holders.decrementAndGet() == 0) {
      file.close();
    }
  }
}
