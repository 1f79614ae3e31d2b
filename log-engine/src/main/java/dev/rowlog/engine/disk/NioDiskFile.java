package dev.rowlog.engine.disk;

import dev.rowlog.engine.error.DiskFailureException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/** An open {@link FileChannel}; short reads and writes are looped. */
final class NioDiskFile implements DiskFile {
  private final Path path;
  private final FileChannel channel;

  NioDiskFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public long size() {
    try {
      return channel.size();
    } catch (IOException e) {
      throw new DiskFailureException("size", path, e);
    }
  }

  @Override
  public int read(ByteBuffer target, long position) {
    try {
      int total = 0;
      while (target.hasRemaining()) {
        int count = channel.read(target, position + total);
        if (count < 0) {
          break;
        }
        total += count;
      }
      return total;
    } catch (IOException e) {
      throw new DiskFailureException("read at position " + position, path, e);
    }
  }

  @Override
  public void write(ByteBuffer source, long position) {
    try {
      long at = position;
      while (source.hasRemaining()) {
        at += channel.write(source, at);
      }
    } catch (IOException e) {
      throw new DiskFailureException("write at position " + position, path, e);
    }
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) {
    try {
      long total = 0;
      while (total < count) {
        long moved = channel.transferTo(position + total, count - total, target);
        if (moved <= 0) {
          // The file ends here, or the target takes no more at present.
          break;
        }
        total += moved;
      }
      return total;
    } catch (IOException e) {
      throw new DiskFailureException("transfer at position " + position, path, e);
    }
  }

  @Override
  public void truncate(long size) {
    try {
      if (size > channel.size()) {
        throw new EOFException("cannot truncate to " + size + " bytes: it has " + channel.size());
      }
      channel.truncate(size);
    } catch (IOException e) {
      throw new DiskFailureException("truncate", path, e);
    }
  }

  @Override
  public void sync() {
    try {
      channel.force(true);
    } catch (IOException e) {
      throw new DiskFailureException("sync", path, e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new DiskFailureException("close", path, e);
    }
  }
}
