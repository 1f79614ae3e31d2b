package dev.rowlog.engine.disk;

import dev.rowlog.engine.Seeds;
import dev.rowlog.engine.error.DirectoryInUseException;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A disk in memory whose machine can crash at any call. Any thread.
 *
 * <p>It keeps apart what {@link DiskFile#sync} and {@link #syncDirectory} made durable and what only lies in memory;
 * {@link #reboot} says what a crash leaves. It is stricter than most file systems: syncing a file does not sync its
 * name, syncing a folder not the folder's own name, and after a failed sync the bytes are gone for good.
 *
 * <p>Calls that change something are counted; a crash at a reading call would leave what a crash at the next change
 * leaves.
 */
public final class SimulatedDisk implements Disk {
  private static final long NEVER = Long.MAX_VALUE;

  private final InstantSource clock;
  private final SimulatedFolder root;
  private final Set<Path> locks = new HashSet<>();
  private final List<Path> openFiles = new ArrayList<>();
  private long nextId = 1;
  private long changes;
  private long crashAt = NEVER;
  private String crashedAt;
  private long syncsUntilFailure = NEVER;
  private long writesUntilFailure = NEVER;
  private long spaceLeft = NEVER;
  private long maxTransferBytes = NEVER;

  /** An empty disk whose files are as old as the epoch. */
  public SimulatedDisk() {
    this(InstantSource.fixed(Instant.EPOCH));
  }

  /**
   * @param clock gives modification times
   */
  public SimulatedDisk(InstantSource clock) {
    this(clock, new SimulatedFolder());
  }

  private SimulatedDisk(InstantSource clock, SimulatedFolder root) {
    this.clock = clock;
    this.root = root;
  }

  /** Changes so far: creations, writes, truncations, renames, deletions, time settings and syncs. */
  public synchronized long changes() {
    return changes;
  }

  /** Lets the {@code change}-th change from now (1 is the next) crash before it has an effect. */
  public synchronized void crashAt(long change) {
    crashAt = changes + change;
  }

  /** Crashes now. */
  public synchronized void crash() {
    crashedAt = "now";
  }

  public synchronized boolean isCrashed() {
    return crashedAt != null;
  }

  /** The call at which it crashed; null while it runs. */
  public synchronized String crashedAt() {
    return crashedAt;
  }

  /**
   * The disk that the machine finds after a crash at this moment; this one stays as it is and may be asked again.
   *
   * @param seed for the policies that draw
   */
  public synchronized SimulatedDisk reboot(RebootPolicy policy, long seed) {
    SimulatedDisk disk = new SimulatedDisk(clock, root.reboot(policy, Seeds.random(seed)));
    disk.nextId = nextId;
    return disk;
  }

  /**
   * Lets the {@code sync}-th sync of a file or folder from now (1 is the next) fail once with an I/O error; the bytes
   * are lost.
   */
  public synchronized void failSync(long sync) {
    syncsUntilFailure = sync;
  }

  /** Lets the {@code write}-th write from now (1 is the next) fail once with an I/O error, after half of its bytes. */
  public synchronized void failWrite(long write) {
    writesUntilFailure = write;
  }

  /**
   * Lets files grow by {@code bytes} more, all together; then writes stop short and fail for want of space. Deleting
   * frees nothing.
   */
  public synchronized void limitSpace(long bytes) {
    spaceLeft = bytes;
  }

  /** Lets {@link DiskFile#transferTo} move at most so many bytes a call, as a socket may. */
  public synchronized void limitTransfers(long bytes) {
    maxTransferBytes = bytes;
  }

  /** Paths of the files that are open, one for each handle. */
  public synchronized List<Path> openFiles() {
    return List.copyOf(openFiles);
  }

  @Override
  public synchronized List<String> list(Path directory) {
    ensureRunning();
    return attempt("list", directory, () -> folder(directory).names());
  }

  @Override
  public synchronized boolean exists(Path path) {
    ensureRunning();
    return find(path) != null;
  }

  @Override
  public synchronized boolean isDirectory(Path path) {
    ensureRunning();
    return find(path) instanceof SimulatedFolder;
  }

  @Override
  public synchronized void createDirectories(Path directory) {
    if (find(directory) instanceof SimulatedFolder) {
      ensureRunning();
      return;
    }
    change("create directory", directory);
    attempt("create directory", directory, () -> {
      SimulatedFolder folder = root;
      for (Path name : absolute(directory)) {
        if (folder.get(name.toString()) == null) {
          folder.link(name.toString(), new SimulatedFolder());
        }
        if (!(folder.get(name.toString()) instanceof SimulatedFolder next)) {
          throw new NotDirectoryException(name.toString());
        }
        folder = next;
      }
      return null;
    });
  }

  @Override
  public synchronized DiskFile openForRead(Path file) {
    ensureRunning();
    return open(file, attempt("open for reading", file, () -> bytes(file)), false);
  }

  @Override
  public synchronized DiskFile openForWrite(Path file) {
    ensureRunning();
    return open(file, attempt("open for writing", file, () -> bytes(file)), true);
  }

  @Override
  public synchronized DiskFile create(Path file) {
    change("create", file);
    return open(file, attempt("create", file, () -> createBytes(file)), true);
  }

  private SimulatedBytes createBytes(Path file) throws IOException {
    SimulatedFolder parent = folder(absolute(file).getParent());
    if (parent.get(name(file)) != null) {
      bytes(file);
      parent.unlink(name(file));
    }
    SimulatedBytes bytes = new SimulatedBytes(nextId++, clock.millis());
    parent.link(name(file), bytes);
    return bytes;
  }

  private DiskFile open(Path file, SimulatedBytes bytes, boolean writable) {
    openFiles.add(file);
    return new SimulatedFile(this, file, bytes, writable);
  }

  @Override
  public synchronized void rename(Path from, Path to) {
    if (!absolute(from).getParent().equals(absolute(to).getParent())) {
      throw new UnsupportedOperationException("renames between folders are not simulated: " + from + " to " + to);
    }
    change("rename to " + to.getFileName(), from);
    attempt("rename to " + to.getFileName(), from, () -> {
      node(from);
      folder(absolute(from).getParent()).rename(name(from), name(to));
      return null;
    });
  }

  @Override
  public synchronized void delete(Path file) {
    change("delete", file);
    attempt("delete", file, () -> {
      if (node(file) instanceof SimulatedFolder folder && !folder.names().isEmpty()) {
        throw new DirectoryNotEmptyException(file.toString());
      }
      folder(absolute(file).getParent()).unlink(name(file));
      return null;
    });
  }

  @Override
  public synchronized boolean deleteIfExists(Path file) {
    if (!exists(file)) {
      return false;
    }
    delete(file);
    return true;
  }

  @Override
  public synchronized long size(Path file) {
    ensureRunning();
    return attempt("size", file, () -> bytes(file).size());
  }

  @Override
  public synchronized long lastModified(Path file) {
    ensureRunning();
    return attempt("read modification time", file, () -> bytes(file).lastModified());
  }

  @Override
  public synchronized void setLastModified(Path file, long epochMs) {
    change("set modification time", file);
    attempt("set modification time", file, () -> {
      bytes(file).setLastModified(epochMs);
      return null;
    });
  }

  @Override
  public synchronized void syncDirectory(Path directory) {
    change("sync", directory);
    attempt("sync", directory, () -> {
      SimulatedFolder folder = folder(directory);
      failSyncIfDue();
      folder.sync();
      return null;
    });
  }

  @Override
  public synchronized Object fileKey(Path file) {
    ensureRunning();
    return attempt("read identity", file, () -> bytes(file).id());
  }

  @Override
  public synchronized byte[] readAll(Path file) {
    ensureRunning();
    return attempt("read", file, () -> Arrays.copyOf(bytes(file).array(), bytes(file).size()));
  }

  @Override
  public synchronized long usableSpace(Path path) {
    ensureRunning();
    return spaceLeft;
  }

  @Override
  public synchronized DirectoryLock lock(Path file) {
    ensureRunning();
    Path path = absolute(file);
    if (!locks.add(path)) {
      throw new DirectoryInUseException(path.getParent());
    }
    if (!exists(file)) {
      create(file).close();
    }
    return () -> unlock(path);
  }

  private synchronized void unlock(Path file) {
    locks.remove(file);
  }

  synchronized void closed(Path file) {
    openFiles.remove(file);
  }

  void ensureRunning() {
    if (crashedAt != null) {
      throw new CrashException(crashedAt);
    }
  }

  /** Every change passes here first. */
  void change(String verb, Path path) {
    ensureRunning();
    changes++;
    if (changes >= crashAt) {
      crashedAt = "change " + changes + ", " + verb + " of " + path;
      throw new CrashException(crashedAt);
    }
  }

  void failSyncIfDue() throws IOException {
    if (syncsUntilFailure != NEVER && --syncsUntilFailure == 0) {
      syncsUntilFailure = NEVER;
      throw new IOException("Input/output error");
    }
  }

  /** How many of the bytes of a write get through; the caller fails it where not all do. */
  int writableBytes(int bytes, int growth) {
    if (writesUntilFailure != NEVER && --writesUntilFailure == 0) {
      writesUntilFailure = NEVER;
      return bytes / 2;
    }
    if (spaceLeft == NEVER) {
      return bytes;
    }
    int granted = (int) Math.min(growth, spaceLeft);
    spaceLeft -= granted;
    return bytes - growth + granted;
  }

  IOException shortWriteCause() {
    return new IOException(spaceLeft == 0 ? "No space left on device" : "Input/output error");
  }

  long maxTransferBytes() {
    return maxTransferBytes;
  }

  long now() {
    return clock.millis();
  }

  private static <T> T attempt(String verb, Path file, NioDisk.FileCall<T> call) {
    return NioDisk.attempt(verb, file, call);
  }

  private SimulatedNode find(Path path) {
    SimulatedNode node = root;
    for (Path name : absolute(path)) {
      node = node instanceof SimulatedFolder folder ? folder.get(name.toString()) : null;
    }
    return node;
  }

  private SimulatedNode node(Path path) throws IOException {
    SimulatedNode node = find(path);
    if (node == null) {
      throw new NoSuchFileException(path.toString());
    }
    return node;
  }

  private SimulatedFolder folder(Path path) throws IOException {
    if (node(path) instanceof SimulatedFolder folder) {
      return folder;
    }
    throw new NotDirectoryException(path.toString());
  }

  private SimulatedBytes bytes(Path path) throws IOException {
    if (node(path) instanceof SimulatedBytes bytes) {
      return bytes;
    }
    throw new IOException(path + " is a folder");
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }

  private static String name(Path path) {
    return absolute(path).getFileName().toString();
  }
}
