package dev.rowlog.engine.disk;

import java.nio.file.Path;
import java.util.List;

/**
 * The verbs that the engine asks of a file system. Any thread.
 *
 * <p>Every verb throws {@link dev.rowlog.engine.error.DiskFailureException} where the file system refuses. A name
 * (creation, rename, deletion) is durable only after {@link #syncDirectory} of its folder; bytes only after {@link
 * DiskFile#sync}.
 */
public interface Disk {
  /** Names of the entries, sorted; not their paths. */
  List<String> list(Path directory);

  boolean exists(Path path);

  boolean isDirectory(Path path);

  /** Creates the folder and its missing parents; fine if it exists. */
  void createDirectories(Path directory);

  /** Opens for reading; the file must exist. */
  DiskFile openForRead(Path file);

  /** Opens for reading and writing; the file must exist. */
  DiskFile openForWrite(Path file);

  /** Creates an empty file for reading and writing; replaces one of that name. */
  DiskFile create(Path file);

  /** Atomic; replaces the target. */
  void rename(Path from, Path to);

  void delete(Path file);

  boolean deleteIfExists(Path file);

  /** Bytes. */
  long size(Path file);

  /** Ms since the epoch. */
  long lastModified(Path file);

  void setLastModified(Path file, long epochMs);

  /** Makes the names in this folder durable. */
  void syncDirectory(Path directory);

  /** An identity of the file behind the name, such as its inode: another one after a replacement. */
  Object fileKey(Path file);

  /** Whole small file. */
  byte[] readAll(Path file);

  /** Bytes that can still be written to the file system of this path. */
  long usableSpace(Path path);

  /**
   * Takes the exclusive lock of a file, creating it.
   *
   * @throws dev.rowlog.engine.error.DirectoryInUseException where another process, or this one, holds it
   */
  DirectoryLock lock(Path file);
}
