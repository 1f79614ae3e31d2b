package dev.rowlog.engine.segment;

import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.record.RecordBatch;

/**
 * The one loop that walks the batches of a {@code .log} file: large positional reads into one direct buffer, cut at batch ends. One thread.
 *
 * <p>Recovery, cleaner, cursors, verifier and dump all go through it. It checks that a batch's length is at least a header's and ends
 * within the range; the CRC is the caller's ({@link RecordBatch#ensureValid}), who knows whether it was checked before.
 */
public final class BatchScanner {

  /**
   * @param from byte position of a batch, inclusive
   * @param end byte position at which to stop, exclusive: the file's committed or recovered size
   * @param bufferBytes size of each read; grows for a larger batch, and shrinks again at the next {@code reset}
   */
  public BatchScanner(DiskFile file, long from, long end, int bufferBytes) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Walks another range or file with the same buffer. */
  public void reset(DiskFile file, long from, long end) {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * Moves to the next batch; false at the end.
   *
   * @throws dev.rowlog.engine.error.CorruptLogException where the bytes there cannot be a whole batch
   */
  public boolean next() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** The current batch: valid until {@link #next}. At least 64 bytes may be read beyond its end in the buffer's capacity. */
  public RecordBatch batch() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Byte position of the current batch in the file. */
  public long position() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Byte position one past the current batch. */
  public long nextPosition() {
    throw new UnsupportedOperationException("skeleton");
  }
}
