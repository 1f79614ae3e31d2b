package dev.rowlog.engine.segment;

import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchLayout;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * The one loop that walks the batches of a {@code .log} file: large positional reads into one direct buffer, cut at
 * batch ends. One thread.
 *
 * <p>Recovery, cleaner, cursors, verifier and dump all go through it. It checks that a batch's length is at least a
 * header's and ends within the range; the CRC is the caller's ({@link RecordBatch#ensureValid}), who knows whether it
 * was checked before. Only a batch that the buffer must grow for has its CRC checked here, before a wrong length
 * could ask for any amount of memory.
 */
public final class BatchScanner {
  /** Bytes that may be read beyond a batch. */
  private static final int SPARE_BYTES = RecordBatchLayout.SPARE_BYTES;

  private final ByteBuffer ownBuffer;
  private final RecordBatch batch = new RecordBatch();
  private ByteBuffer buffer;
  private DiskFile file;
  private long end;
  private long position;
  private long nextPosition;
  private boolean started;
  /** File position of the buffer's first byte. */
  private long bufferPosition;

  /**
   * @param from byte position of a batch, inclusive
   * @param end byte position at which to stop, exclusive: the file's committed or recovered size
   * @param bufferBytes size of each read; grows for a larger batch, and shrinks again at the next {@code reset}
   */
  public BatchScanner(DiskFile file, long from, long end, int bufferBytes) {
    this.ownBuffer = ByteBuffer.allocateDirect(Math.max(bufferBytes, RecordBatchLayout.HEADER_SIZE) + SPARE_BYTES);
    assign(file, from, end);
  }

  /** Walks another range or file with the same buffer. */
  public void reset(DiskFile file, long from, long end) {
    assign(file, from, end);
  }

  private void assign(DiskFile file, long from, long end) {
    if (from < 0) {
      throw new IllegalArgumentException("from is negative: " + from);
    }
    this.file = file;
    this.end = end;
    this.position = from;
    this.nextPosition = from;
    this.started = false;
    this.bufferPosition = from;
    this.buffer = ownBuffer.clear().limit(0);
  }

  /**
   * Moves to the next batch; false at the end.
   *
   * @throws CorruptLogException where the bytes there cannot be a whole batch
   */
  public boolean next() {
    if (nextPosition >= end) {
      return false;
    }
    long at = nextPosition;
    long remaining = end - at;
    if (remaining < RecordBatchLayout.HEADER_SIZE) {
      throw corrupt(at,
          "a batch header has " + RecordBatchLayout.HEADER_SIZE + " bytes, only " + remaining + " are left");
    }
    if (buffered(at) < RecordBatchLayout.HEADER_SIZE) {
      fill(at);
      ensureBuffered(at, RecordBatchLayout.HEADER_SIZE);
    }
    int start = (int) (at - bufferPosition);
    long size = buffer.getInt(start + RecordBatchLayout.BATCH_LENGTH) + (long) RecordBatchLayout.LOG_OVERHEAD;
    if (size < RecordBatchLayout.HEADER_SIZE || size > remaining || size > RecordBatchLayout.MAX_BATCH_BYTES) {
      throw corrupt(at, "batch size " + size + " is outside " + RecordBatchLayout.HEADER_SIZE + " to " + remaining);
    }
    if (buffered(at) < size) {
      if (size > buffer.capacity() - SPARE_BYTES) {
        grow(at, (int) size);
      }
      fill(at);
      ensureBuffered(at, size);
    }
    batch.wrap(buffer, (int) (at - bufferPosition));
    position = at;
    nextPosition = at + size;
    started = true;
    return true;
  }

  private long buffered(long at) {
    return bufferPosition + buffer.limit() - at;
  }

  private void ensureBuffered(long at, long size) {
    if (buffered(at) < size) {
      throw corrupt(at, "the file ends at " + end + ", expected " + size + " bytes");
    }
  }

  private void fill(long at) {
    buffer.clear().limit((int) Math.min(buffer.capacity() - SPARE_BYTES, end - at));
    int wanted = buffer.remaining();
    bufferPosition = at;
    int count = file.read(buffer, at);
    buffer.flip();
    if (count < wanted) {
      // Cut by its writer behind what readers may see: only a batch that is not whole is wrong.
      end = at + count;
    }
  }

  private void grow(long at, int size) {
    ensureCrc(at, size);
    buffer = ByteBuffer.allocateDirect(size + SPARE_BYTES).limit(0);
    bufferPosition = at;
  }

  /**
   * Reads the batch through the small buffer: its length is trusted only once the CRC that covers so many bytes
   * holds.
   */
  private void ensureCrc(long at, int size) {
    fill(at);
    byte magic = buffer.get(RecordBatchLayout.MAGIC);
    if (magic != RecordBatchLayout.MAGIC_V2) {
      throw corrupt(at, "magic " + magic + " of a batch of " + size + " bytes, expected " + RecordBatchLayout.MAGIC_V2);
    }
    int stored = buffer.getInt(RecordBatchLayout.CRC);
    CRC32C crc = new CRC32C();
    long next = at + RecordBatchLayout.ATTRIBUTES;
    while (next < at + size) {
      fill(next);
      int count = (int) Math.min(buffer.limit(), at + size - next);
      if (count == 0) {
        throw corrupt(at, "the file ends at " + end + ", expected " + size + " bytes");
      }
      crc.update(buffer.limit(count));
      next += count;
    }
    int computed = (int) crc.getValue();
    if (stored != computed) {
      throw corrupt(
          at,
          String.format(
              Locale.ROOT, "batch CRC mismatch over %d bytes: stored 0x%08x, computed 0x%08x", size, stored, computed));
    }
  }

  private CorruptLogException corrupt(long at, String problem) {
    return new CorruptLogException(file.path(), at, problem);
  }

  /**
   * The current batch: valid until {@link #next}. At least 64 bytes may be read beyond its end in the buffer's
   * capacity.
   */
  public RecordBatch batch() {
    assert started : "next() was not called";
    return batch;
  }

  /** Byte position of the current batch in the file. */
  public long position() {
    return position;
  }

  /** Byte position one past the current batch. */
  public long nextPosition() {
    return nextPosition;
  }
}
