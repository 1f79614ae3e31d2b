package dev.rowlog.engine.disk;

import dev.rowlog.engine.error.DirectoryInUseException;
import dev.rowlog.engine.error.DiskFailureException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The lock of the operating system, which takes it back when the process dies.
 */
final class NioDirectoryLock implements DirectoryLock {
  /**
   * Lock files held by this process. POSIX drops the lock of a file when the process closes <em>any</em> descriptor of
   * it, so a second attempt must be refused before it opens the file.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private NioDirectoryLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Creates the file if it does not exist; its folder must.
   *
   * @throws DirectoryInUseException where another process, or this one, holds the lock
   */
  static NioDirectoryLock take(Path lockFile) throws IOException {
    Path directory = lockFile.toAbsolutePath().getParent();
    Path file = directory.toRealPath().resolve(lockFile.getFileName());
    if (!HELD.add(file)) {
      throw new DirectoryInUseException(directory);
    }
    try {
      return new NioDirectoryLock(file, lock(directory, file));
    } catch (IOException | RuntimeException e) {
      HELD.remove(file);
      throw e;
    }
  }

  private static FileChannel lock(Path directory, Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // Held by another copy of this class in the same process: refused below.
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    throw new DirectoryInUseException(directory);
  }

  @Override
  public void close() {
    if (!channel.isOpen()) {
      return;
    }
    try {
      channel.close();
    } catch (IOException e) {
      throw new DiskFailureException("unlock", file, e);
    } finally {
      HELD.remove(file);
    }
  }
}
