package dev.rowlog.engine.disk;

import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/**
 * An open file. Positional reads: any thread. Writes, truncate, sync: one thread at a time.
 *
 * <p>Every verb throws {@link dev.rowlog.engine.error.DiskFailureException} where the file system refuses.
 */
public interface DiskFile extends AutoCloseable {
  Path path();

  /** Bytes. */
  long size();

  /**
   * Reads into the buffer from {@code position} until it is full or the file ends.
   *
   * @return bytes read; less than asked only at the end of the file
   */
  int read(ByteBuffer target, long position);

  /** Writes all that remains in the buffer at {@code position}. */
  void write(ByteBuffer source, long position);

  /** Copies bytes to a channel without passing them through the heap; returns how many. */
  long transferTo(long position, long count, WritableByteChannel target);

  void truncate(long size);

  /** Makes the bytes and the size durable. */
  void sync();

  @Override
  void close();
}
