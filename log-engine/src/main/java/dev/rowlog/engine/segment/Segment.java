package dev.rowlog.engine.segment;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A {@code .log} file with its indexes, covering offsets from its base to the next segment's base.
 *
 * <p>Appends, truncation, sync, renames: one thread at a time (the log's lock). Reads: any thread, up to the size that they saw.
 * Files are closed when the last holder releases the segment, so that a reader may finish on a segment that was replaced.
 */
public final class Segment {

  private Segment() {}

  /** Creates the files of an empty segment; leftovers of that name are replaced. */
  public static Segment create(Disk disk, Path directory, long baseOffset, SegmentFileName.State state, IndexSettings settings) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Opens what is there; indexes are read or, where missing, made again from the {@code .log}. */
  public static Segment open(Disk disk, Path directory, long baseOffset, SegmentFileName.State state, IndexSettings settings) {
    throw new UnsupportedOperationException("skeleton");
  }

  public long baseOffset() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Path of the {@code .log} file as it is named now. */
  public Path logPath() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** The open {@code .log}; do not close it. */
  public DiskFile logFile() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Bytes of the {@code .log}. */
  public long sizeBytes() {
    throw new UnsupportedOperationException("skeleton");
  }

  public long offsetIndexBytes() {
    throw new UnsupportedOperationException("skeleton");
  }

  public long timeIndexBytes() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Next offset after the last batch; the base offset where it is empty. */
  public long nextOffset() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Largest batch timestamp; the file's mtime where no batch has one (ms). */
  public long largestTimestamp() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Largest timestamp of the first batch, what rolling by age counts from; -1 where empty. */
  public long firstBatchTimestamp() {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * Appends whole batches, and index entries every {@code index.interval.bytes}, one at most a batch.
   *
   * @param batches position to limit; consumed
   */
  public void append(ByteBuffer batches) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Byte position of the last batch start at or below {@code offset} that the offset index knows; 0 where none. */
  public long floorPosition(long offset) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Writes the closing time index entry and trims the indexes: from now on the segment is not appended to. */
  public void becomeInactive() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Makes bytes of log and indexes durable; not the folder's names. */
  public void sync() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Cuts every batch from {@code offset} on (a batch that holds it goes whole); returns bytes cut. */
  public long truncateTo(long offset) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Renames each of its files to another state; open handles stay good. */
  public void rename(SegmentFileName.State state) {
    throw new UnsupportedOperationException("skeleton");
  }

  public void setLastModified(long epochMs) {
    throw new UnsupportedOperationException("skeleton");
  }

  public long lastModified() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Deletes the files as they are named now. */
  public void delete() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Takes one more hold; false where the last was already released. */
  public boolean retain() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Gives a hold back; the last one closes the files. */
  public void release() {
    throw new UnsupportedOperationException("skeleton");
  }
}
