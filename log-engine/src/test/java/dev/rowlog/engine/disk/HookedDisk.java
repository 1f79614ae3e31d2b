package dev.rowlog.engine.disk;

import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.List;

/**
 * A disk that tells before each change of names what is about to happen; the listener may look, or throw. Where nothing
 * is crashed, syncs may be left out, which take most of a test's time.
 */
public final class HookedDisk implements Disk {
  /** Called with the verb ("create", "rename", "delete") and the file; for a rename its new name. */
  @FunctionalInterface
  public interface Listener {
    void before(String verb, Path file);
  }

  private final Disk disk;
  private final boolean syncs;
  private final boolean oneIdentity;
  private Listener listener = (verb, file) -> {};

  public HookedDisk(Disk disk) {
    this(disk, true, false);
  }

  private HookedDisk(Disk disk, boolean syncs, boolean oneIdentity) {
    this.disk = disk;
    this.syncs = syncs;
    this.oneIdentity = oneIdentity;
  }

  public static HookedDisk withoutSync(Disk disk) {
    return new HookedDisk(disk, false, false);
  }

  /** Every file has the same identity, as if inodes were used again at once. */
  public static HookedDisk withOneIdentity(Disk disk) {
    return new HookedDisk(disk, true, true);
  }

  private DiskFile opened(DiskFile file) {
    return syncs ? file : new UnsyncedFile(file);
  }

  public void listen(Listener newListener) {
    listener = newListener;
  }

  @Override
  public List<String> list(Path directory) {
    return disk.list(directory);
  }

  @Override
  public boolean exists(Path path) {
    return disk.exists(path);
  }

  @Override
  public boolean isDirectory(Path path) {
    return disk.isDirectory(path);
  }

  @Override
  public void createDirectories(Path directory) {
    disk.createDirectories(directory);
  }

  @Override
  public DiskFile openForRead(Path file) {
    return disk.openForRead(file);
  }

  @Override
  public DiskFile openForWrite(Path file) {
    return opened(disk.openForWrite(file));
  }

  @Override
  public DiskFile create(Path file) {
    listener.before("create", file);
    return opened(disk.create(file));
  }

  @Override
  public void rename(Path from, Path to) {
    listener.before("rename", to);
    disk.rename(from, to);
  }

  @Override
  public void delete(Path file) {
    listener.before("delete", file);
    disk.delete(file);
  }

  @Override
  public boolean deleteIfExists(Path file) {
    return disk.deleteIfExists(file);
  }

  @Override
  public long size(Path file) {
    return disk.size(file);
  }

  @Override
  public long lastModified(Path file) {
    return disk.lastModified(file);
  }

  @Override
  public void setLastModified(Path file, long epochMs) {
    disk.setLastModified(file, epochMs);
  }

  @Override
  public void syncDirectory(Path directory) {
    if (syncs) {
      disk.syncDirectory(directory);
    }
  }

  @Override
  public Object fileKey(Path file) {
    return oneIdentity ? "the only one" : disk.fileKey(file);
  }

  @Override
  public byte[] readAll(Path file) {
    return disk.readAll(file);
  }

  @Override
  public long usableSpace(Path path) {
    return disk.usableSpace(path);
  }

  @Override
  public DirectoryLock lock(Path file) {
    return disk.lock(file);
  }

  private record UnsyncedFile(DiskFile file) implements DiskFile {
    @Override
    public Path path() {
      return file.path();
    }

    @Override
    public long size() {
      return file.size();
    }

    @Override
    public int read(ByteBuffer target, long position) {
      return file.read(target, position);
    }

    @Override
    public void write(ByteBuffer source, long position) {
      file.write(source, position);
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
      return file.transferTo(position, count, target);
    }

    @Override
    public void truncate(long size) {
      file.truncate(size);
    }

    @Override
    public void sync() {}

    @Override
    public void close() {
      file.close();
    }
  }
}
