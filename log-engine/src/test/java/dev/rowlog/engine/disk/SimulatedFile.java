package dev.rowlog.engine.disk;

import dev.rowlog.engine.error.DiskFailureException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Arrays;

/** A handle of a file on a {@link SimulatedDisk}, guarded by the disk; closing it after a crash is fine. */
final class SimulatedFile implements DiskFile {
  private final SimulatedDisk disk;
  private final Path path;
  private final SimulatedBytes bytes;
  private final boolean writable;
  private boolean open = true;

  SimulatedFile(SimulatedDisk disk, Path path, SimulatedBytes bytes, boolean writable) {
    this.disk = disk;
    this.path = path;
    this.bytes = bytes;
    this.writable = writable;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public long size() {
    synchronized (disk) {
      ensureReadable("size");
      return bytes.size();
    }
  }

  @Override
  public int read(ByteBuffer target, long position) {
    synchronized (disk) {
      ensureReadable("read at position " + position);
      int count = (int) Math.max(0, Math.min(target.remaining(), bytes.size() - position));
      if (count > 0) {
        target.put(bytes.array(), (int) position, count);
      }
      return count;
    }
  }

  @Override
  public void write(ByteBuffer source, long position) {
    String verb = "write at position " + position;
    synchronized (disk) {
      ensureWritable(verb);
      disk.change(verb, path);
      byte[] content = new byte[source.remaining()];
      source.get(content);
      int growth = (int) Math.min(content.length, Math.max(0, position + content.length - bytes.size()));
      int written = disk.writableBytes(content.length, growth);
      bytes.write(Math.toIntExact(position), written == content.length ? content : Arrays.copyOf(content, written));
      bytes.setLastModified(disk.now());
      if (written < content.length) {
        throw new DiskFailureException(verb, path, disk.shortWriteCause());
      }
    }
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) {
    String verb = "transfer at position " + position;
    ByteBuffer copy;
    synchronized (disk) {
      ensureReadable(verb);
      long most = Math.min(Math.min(count, disk.maxTransferBytes()), bytes.size() - position);
      if (most <= 0) {
        return 0;
      }
      copy = ByteBuffer.wrap(Arrays.copyOfRange(bytes.array(), (int) position, (int) (position + most)));
    }
    try {
      long total = 0;
      while (copy.hasRemaining()) {
        int moved = target.write(copy);
        if (moved == 0) {
          break;
        }
        total += moved;
      }
      return total;
    } catch (IOException e) {
      throw new DiskFailureException(verb, path, e);
    }
  }

  @Override
  public void truncate(long size) {
    synchronized (disk) {
      ensureWritable("truncate");
      disk.change("truncate to " + size, path);
      if (size > bytes.size()) {
        throw new DiskFailureException(
            "truncate", path, new EOFException("cannot truncate to " + size + " bytes: it has " + bytes.size()));
      }
      bytes.resize((int) size);
      bytes.setLastModified(disk.now());
    }
  }

  @Override
  public void sync() {
    synchronized (disk) {
      ensureReadable("sync");
      disk.change("sync", path);
      try {
        disk.failSyncIfDue();
      } catch (IOException e) {
        bytes.loseUnsynced();
        throw new DiskFailureException("sync", path, e);
      }
      bytes.sync();
    }
  }

  @Override
  public void close() {
    synchronized (disk) {
      if (open) {
        open = false;
        disk.closed(path);
      }
    }
  }

  private void ensureReadable(String verb) {
    disk.ensureRunning();
    if (!open) {
      throw new DiskFailureException(verb, path, new ClosedChannelException());
    }
  }

  private void ensureWritable(String verb) {
    ensureReadable(verb);
    if (!writable) {
      throw new NonWritableChannelException();
    }
  }
}
