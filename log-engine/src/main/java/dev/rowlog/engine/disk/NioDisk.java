package dev.rowlog.engine.disk;

import dev.rowlog.engine.error.DiskFailureException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;

/**
 * The file system of the operating system, through {@code java.nio}. No state; any thread.
 *
 * <p>Threads that use it must not be interrupted: {@link FileChannel} closes itself under an interrupted thread, for
 * all its users.
 */
public final class NioDisk implements Disk {
  @Override
  public List<String> list(Path directory) {
    return attempt("list", directory, () -> {
      List<String> names = new ArrayList<>();
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
        entries.forEach(entry -> names.add(entry.getFileName().toString()));
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
      names.sort(null);
      return names;
    });
  }

  @Override
  public boolean exists(Path path) {
    return Files.exists(path);
  }

  @Override
  public boolean isDirectory(Path path) {
    return Files.isDirectory(path);
  }

  @Override
  public void createDirectories(Path directory) {
    attempt("create directory", directory, () -> Files.createDirectories(directory));
  }

  @Override
  public DiskFile openForRead(Path file) {
    return open("open for reading", file, StandardOpenOption.READ);
  }

  @Override
  public DiskFile openForWrite(Path file) {
    return open("open for writing", file, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @Override
  public DiskFile create(Path file) {
    // A new file rather than a truncated one: a reader that has the old one open keeps its bytes.
    deleteIfExists(file);
    return open("create", file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
  }

  private static DiskFile open(String verb, Path file, OpenOption... options) {
    return attempt(verb, file, () -> new NioDiskFile(file, FileChannel.open(file, options)));
  }

  @Override
  public void rename(Path from, Path to) {
    attempt(
        "rename to " + to.getFileName(), from,
        () -> Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING));
  }

  @Override
  public void delete(Path file) {
    attempt("delete", file, () -> {
      Files.delete(file);
      return null;
    });
  }

  @Override
  public boolean deleteIfExists(Path file) {
    return attempt("delete", file, () -> Files.deleteIfExists(file));
  }

  @Override
  public long size(Path file) {
    return attempt("size", file, () -> Files.size(file));
  }

  @Override
  public long lastModified(Path file) {
    return attempt("read modification time", file, () -> Files.getLastModifiedTime(file).toMillis());
  }

  @Override
  public void setLastModified(Path file, long epochMs) {
    attempt("set modification time", file, () -> Files.setLastModifiedTime(file, FileTime.fromMillis(epochMs)));
  }

  @Override
  public void syncDirectory(Path directory) {
    attempt("sync", directory, () -> {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
      return null;
    });
  }

  @Override
  public Object fileKey(Path file) {
    return attempt("read identity", file, () -> {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      Object key = attributes.fileKey();
      // File systems without inodes have no key; the creation time is the next best.
      return key != null ? key : attributes.creationTime();
    });
  }

  @Override
  public byte[] readAll(Path file) {
    return attempt("read", file, () -> Files.readAllBytes(file));
  }

  @Override
  public long usableSpace(Path path) {
    return attempt("read usable space", path, () -> Files.getFileStore(path).getUsableSpace());
  }

  @Override
  public DirectoryLock lock(Path file) {
    return attempt("lock", file, () -> NioDirectoryLock.take(file));
  }

  /** A call into {@code java.nio}. */
  @FunctionalInterface
  interface FileCall<T> {
    T run() throws IOException;
  }

  static <T> T attempt(String verb, Path file, FileCall<T> call) {
    try {
      return call.run();
    } catch (IOException e) {
      throw new DiskFailureException(verb, file, e);
    }
  }
}
