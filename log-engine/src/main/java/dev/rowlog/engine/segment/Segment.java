package dev.rowlog.engine.segment;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.error.DiskFailureException;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.segment.SegmentFileName.Kind;
import dev.rowlog.engine.segment.SegmentFileName.State;
import dev.rowlog.engine.segment.index.AbortedTransaction;
import dev.rowlog.engine.segment.index.IndexSettings;
import dev.rowlog.engine.segment.index.OffsetIndex;
import dev.rowlog.engine.segment.index.TransactionIndex;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * A {@code .log} file with its indexes, covering offsets from its base to the next segment's base (Kafka {@code
 * LogSegment}).
 *
 * <p>Appends, truncation, sync, renames: one thread at a time (the log's lock). Reads: any thread, up to the size
 * that they saw, while they hold the segment. A segment that is not written and that nobody holds keeps no file open
 * and no index in memory, so that a log may have thousands. One that is held stays readable, also when it is renamed
 * or deleted meanwhile; the last release closes it.
 */
public final class Segment {
  private final long baseOffset;
  private final IndexSettings settings;
  private final RecordBatch view = new RecordBatch();

  private volatile SegmentExtent extent;

  // Guarded by this.
  private final SegmentFiles files;
  private SegmentIndexes indexes;
  private long offsetIndexBytes;
  private long timeIndexBytes;
  private int holds = 1;
  /** Appended to, or not yet synced: files stay open, so that a failed write-back is seen by the sync. */
  private boolean dirty;
  private boolean active;
  /** Gone from the disk or from its log: what is open stays so until the last release. */
  private boolean parted;

  /** Bytes of a failed write may lie beyond the extent. One thread. */
  private boolean tornTail;

  /**
   * @param indexes open ones, or those whose files are closed again
   * @param open the files stay open: it is active, or not yet synced
   */
  Segment(
      SegmentFiles files, long baseOffset, IndexSettings settings, SegmentExtent extent, SegmentIndexes indexes,
      boolean open) {
    this.files = files;
    this.baseOffset = baseOffset;
    this.settings = settings;
    this.extent = extent;
    this.indexes = open ? indexes : null;
    this.dirty = open;
    this.offsetIndexBytes = indexes.offsetsBytes();
    this.timeIndexBytes = indexes.timesBytes();
  }

  /** Creates the files of an empty segment; leftovers of that name are replaced. It is active and open. */
  public static Segment create(Disk disk, Path directory, long baseOffset, State state, IndexSettings settings) {
    Segment segment = SegmentOpening.create(new SegmentFiles(disk, directory, baseOffset, state), settings);
    segment.active = true;
    return segment;
  }

  /**
   * Opens what is there; indexes are read or, where missing or damaged, made again from the {@code .log}.
   *
   * @throws dev.rowlog.engine.error.CorruptLogException where a batch that it reads is not whole
   */
  public static Segment open(Disk disk, Path directory, long baseOffset, State state, IndexSettings settings) {
    return SegmentOpening.open(new SegmentFiles(disk, directory, baseOffset, state), settings);
  }

  private void noteIndexBytes(SegmentIndexes of) {
    offsetIndexBytes = of.offsetsBytes();
    timeIndexBytes = of.timesBytes();
  }

  public long baseOffset() {
    return baseOffset;
  }

  /** Path of the {@code .log} file as it is named now. */
  public synchronized Path logPath() {
    return path(Kind.LOG);
  }

  private Path path(Kind kind) {
    return files.path(kind);
  }

  /** The open {@code .log}, good while the caller holds the segment; do not close it. */
  public synchronized DiskFile logFile() {
    return files.log();
  }

  /** Bytes of the {@code .log}. */
  public long sizeBytes() {
    return extent.sizeBytes();
  }

  public synchronized long offsetIndexBytes() {
    return offsetIndexBytes;
  }

  public synchronized long timeIndexBytes() {
    return timeIndexBytes;
  }

  /** Next offset after the last batch; the base offset where it is empty. */
  public long nextOffset() {
    return extent.nextOffset();
  }

  /** Largest batch timestamp; the file's mtime where no batch has one (ms). */
  public long largestTimestamp() {
    long largest = extent.maxTimestamp();
    return largest >= 0 ? largest : lastModified();
  }

  /** Largest timestamp of the first batch, what rolling by age counts from; -1 where empty. */
  public long firstBatchTimestamp() {
    return extent.firstBatchTimestamp();
  }

  /** The aborted transactions that Kafka has noted for it; empty for a segment of ours. */
  public List<AbortedTransaction> abortedTransactions() {
    Path file;
    synchronized (this) {
      file = path(Kind.TRANSACTION_INDEX);
    }
    return TransactionIndex.read(files.disk(), file);
  }

  /** True where an index has no room for another entry. */
  public synchronized boolean isIndexFull() {
    return loadIndexes().isFull(settings);
  }

  /**
   * Appends whole batches, and index entries every {@code index.interval.bytes}, one at most a batch. Where the disk
   * refuses, the segment is as before.
   *
   * @param batches position to limit; consumed
   * @throws InvalidRecordException where offsets do not rise, or pass what a segment can hold
   */
  public void append(ByteBuffer batches) {
    SegmentIndexes target = writableIndexes();
    SegmentExtent before = extent;
    SegmentExtent after = before;
    before.ensureFits(batches, view, files);
    if (tornTail) {
      restore(before);
    }
    tornTail = true;
    try {
      for (int at = batches.position(); at < batches.limit();) {
        RecordBatch batch = view.wrap(batches, at);
        SegmentExtent next = after.plus(batch);
        target.add(batch, after, next, settings);
        after = next;
        at += batch.sizeBytes();
      }
      logFile().write(batches, before.sizeBytes());
      target.write();
      tornTail = false;
    } catch (RuntimeException | Error e) {
      restoreAfter(e, before);
      throw e;
    }
    extent = after;
    synchronized (this) {
      dirty = true;
      noteIndexBytes(target);
    }
  }

  private void restoreAfter(Throwable failure, SegmentExtent before) {
    try {
      restore(before);
    } catch (DiskFailureException e) {
      // The tail stays torn: the next append, sync or close cuts it before anything else.
      failure.addSuppressed(e);
    }
  }

  /** Back to the extent, in memory first, then on the disk. */
  private void restore(SegmentExtent before) {
    SegmentIndexes target = writableIndexes();
    target.truncate(before.sizeBytes(), before.nextOffset());
    DiskFile file = logFile();
    if (file.size() > before.sizeBytes()) {
      file.truncate(before.sizeBytes());
    }
    target.trimFiles();
    tornTail = false;
  }

  private synchronized SegmentIndexes writableIndexes() {
    dirty = true;
    return loadIndexes();
  }

  private SegmentIndexes loadIndexes() {
    if (indexes == null) {
      indexes = files.isDeleted()
          // What has these names now, or will have, is another segment's.
          ? SegmentOpening.scan(files, settings).indexes()
          : SegmentOpening.loadIndexes(files, extent.sizeBytes(), settings);
    }
    return indexes;
  }

  /** Byte position of the last batch start at or below {@code offset} that the offset index knows; 0 where none. */
  public long floorPosition(long offset) {
    OffsetIndex offsets;
    synchronized (this) {
      offsets = loadIndexes().offsets();
      closeIfIdle();
    }
    return offsets.floorPosition(offset);
  }

  /** From now on it is appended to: files stay open. */
  public synchronized void becomeActive() {
    active = true;
    files.log();
    loadIndexes();
  }

  /** Writes the closing time index entry and trims the indexes: from now on the segment is not appended to. */
  public void becomeInactive() {
    SegmentIndexes target = writableIndexes();
    if (tornTail) {
      restore(extent);
    }
    target.addClosingEntry(extent);
    target.write();
    target.trimFiles();
    synchronized (this) {
      noteIndexBytes(target);
      active = false;
    }
  }

  /**
   * Makes bytes of log and indexes durable; not the folder's names. Nothing where nothing was written since the last
   * time.
   */
  public void sync() {
    if (tornTail) {
      restore(extent);
    }
    SegmentIndexes target;
    DiskFile file;
    synchronized (this) {
      if (!dirty) {
        return;
      }
      target = loadIndexes();
      file = files.log();
    }
    file.sync();
    target.sync();
    synchronized (this) {
      dirty = false;
      closeIfIdle();
    }
  }

  /** Cuts every batch from {@code offset} on (a batch that holds it goes whole); returns bytes cut. */
  public long truncateTo(long offset) {
    SegmentIndexes target = writableIndexes();
    SegmentExtent before = extent;
    if (tornTail) {
      restore(before);
    }
    if (before.nextOffset() <= offset) {
      return 0;
    }
    long keptBytes = SegmentTail.positionOf(logFile(), target.offsets().floorPosition(offset - 1), before.sizeBytes(),
        offset);
    target.truncate(keptBytes, offset);
    SegmentExtent kept = SegmentTail.extent(logFile(), baseOffset, keptBytes, target);
    extent = kept;
    tornTail = true;
    restore(kept);
    synchronized (this) {
      noteIndexBytes(target);
    }
    return before.sizeBytes() - keptBytes;
  }

  /** Renames each of its files to another state; open handles stay good. */
  public synchronized void rename(State newState) {
    files.rename(newState, (kind, path) -> {
      if (indexes != null) {
        indexes.moved(kind, path);
      }
    });
  }

  public synchronized void setLastModified(long epochMs) {
    files.setLastModified(epochMs);
  }

  public synchronized long lastModified() {
    return files.lastModified();
  }

  /** Deletes the files as they are named now; those who hold it read on. */
  public synchronized void delete() {
    parted = true;
    files.delete();
  }

  /** Takes one more hold and opens the file; false where the last was already released, or the file is gone. */
  public synchronized boolean retain() {
    if (holds == 0 || files.isGone()) {
      return false;
    }
    files.log();
    holds++;
    return true;
  }

  /** Gives a hold back; the last one closes the files. */
  public synchronized void release() {
    assert holds > 0 : "released more often than held";
    holds--;
    if (holds == 0) {
      closeFiles();
    } else {
      closeIfIdle();
    }
  }

  /** Gives the owner's hold back: readers finish with what they have open. */
  public synchronized void close() {
    parted = true;
    release();
  }

  private void closeIfIdle() {
    if (holds == 1 && !active && !dirty && !parted) {
      closeFiles();
    }
  }

  private void closeFiles() {
    try {
      files.closeLog();
    } finally {
      if (indexes != null) {
        SegmentIndexes closing = indexes;
        indexes = null;
        closing.close();
      }
    }
  }

  @Override
  public String toString() {
    return logPath() + " [" + baseOffset + ", " + nextOffset() + ")";
  }
}
