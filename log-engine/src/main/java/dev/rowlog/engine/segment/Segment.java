package dev.rowlog.engine.segment;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.error.DiskFailureException;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.segment.SegmentFileName.Kind;
import dev.rowlog.engine.segment.SegmentFileName.State;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

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
  /** The order of renames and deletions: a {@code .log} without its indexes is whole, the reverse is not. */
  private static final List<Kind> FILES = List.of(Kind.LOG, Kind.INDEX, Kind.TIME_INDEX, Kind.TRANSACTION_INDEX);

  private final Disk disk;
  private final Path directory;
  private final long baseOffset;
  private final IndexSettings settings;
  private final RecordBatch view = new RecordBatch();

  private volatile SegmentExtent extent;

  // Guarded by this.
  private State state;
  private DiskFile log;
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

  private Segment(Disk disk, Path directory, long baseOffset, State state, IndexSettings settings,
      SegmentExtent extent) {
    this.disk = disk;
    this.directory = directory;
    this.baseOffset = baseOffset;
    this.settings = settings;
    this.state = state;
    this.extent = extent;
  }

  /** Creates the files of an empty segment; leftovers of that name are replaced. It is active and open. */
  public static Segment create(Disk disk, Path directory, long baseOffset, State state, IndexSettings settings) {
    Segment segment = new Segment(disk, directory, baseOffset, state, settings, SegmentExtent.empty(baseOffset));
    disk.deleteIfExists(segment.path(Kind.TRANSACTION_INDEX));
    try {
      segment.log = disk.create(segment.path(Kind.LOG));
      segment.indexes = SegmentIndexes.create(disk, segment.path(Kind.INDEX), segment.path(Kind.TIME_INDEX),
          baseOffset);
    } catch (DiskFailureException e) {
      segment.discardAfter(e);
      throw e;
    }
    segment.active = true;
    segment.dirty = true;
    return segment;
  }

  /**
   * Opens what is there; indexes are read or, where missing or damaged, made again from the {@code .log}.
   *
   * @throws dev.rowlog.engine.error.CorruptLogException where a batch that it reads is not whole
   */
  public static Segment open(Disk disk, Path directory, long baseOffset, State state, IndexSettings settings) {
    Segment segment = new Segment(disk, directory, baseOffset, state, settings, SegmentExtent.empty(baseOffset));
    long logBytes = disk.size(segment.path(Kind.LOG));
    DiskFile file = disk.openForRead(segment.path(Kind.LOG));
    try (file) {
      Optional<SegmentIndexes> read = segment.readIndexes(logBytes);
      Optional<SegmentExtent> extent = read
          .flatMap(found -> SegmentTail.read(file, baseOffset, logBytes, found, settings));
      if (extent.isPresent()) {
        segment.extent = extent.get();
        segment.noteIndexBytes(read.get());
        return segment;
      }
      SegmentScan scan = SegmentScan.of(file, baseOffset, settings);
      scan.ensureWhole();
      segment.adopt(scan);
      segment.indexes.sync();
      segment.closeFiles();
      return segment;
    }
  }

  /** What a recovery has scanned: writes its indexes, cuts the {@code .log} behind its last valid batch. */
  static Segment recovered(Disk disk, Path directory, SegmentScan scan, IndexSettings settings) {
    Segment segment = new Segment(disk, directory, scan.baseOffset(), State.FINAL, settings,
        SegmentExtent.empty(scan.baseOffset()));
    try {
      segment.adopt(scan);
      Path path = segment.path(Kind.LOG);
      if (disk.size(path) > scan.extent().sizeBytes()) {
        // The age of a segment without timestamps is its file's: opening does not make it younger.
        long modified = disk.lastModified(path);
        segment.openLog().truncate(scan.extent().sizeBytes());
        disk.setLastModified(path, modified);
      }
      // What it has found may never have been synced.
      segment.openLog();
      segment.dirty = true;
      return segment;
    } catch (DiskFailureException e) {
      segment.closeAfter(e);
      throw e;
    }
  }

  private void adopt(SegmentScan scan) {
    indexes = scan.indexes();
    // It may be closed, and does no harm where it is not.
    indexes.addClosingEntry(scan.extent());
    indexes.store(disk, path(Kind.INDEX), path(Kind.TIME_INDEX));
    extent = scan.extent();
    noteIndexBytes(indexes);
  }

  private Optional<SegmentIndexes> readIndexes(long logBytes) {
    return SegmentIndexes.read(disk, path(Kind.INDEX), path(Kind.TIME_INDEX), baseOffset, logBytes);
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
    return directory.resolve(new SegmentFileName(baseOffset, kind, state).toString());
  }

  /** The open {@code .log}, good while the caller holds the segment; do not close it. */
  public synchronized DiskFile logFile() {
    return openLog();
  }

  private DiskFile openLog() {
    if (log == null) {
      log = disk.openForWrite(path(Kind.LOG));
    }
    return log;
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
    return TransactionIndex.read(disk, file);
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
    ensureFits(batches, before);
    if (tornTail) {
      restore(before);
    }
    try {
      for (int at = batches.position(); at < batches.limit();) {
        RecordBatch batch = view.wrap(batches, at);
        SegmentExtent next = after.plus(batch);
        target.add(batch, after, next, settings);
        after = next;
        at += batch.sizeBytes();
      }
      tornTail = true;
      logFile().write(batches, before.sizeBytes());
      target.write();
      tornTail = false;
    } catch (DiskFailureException e) {
      restoreAfter(e, before);
      throw e;
    }
    extent = after;
    synchronized (this) {
      dirty = true;
      noteIndexBytes(target);
    }
  }

  private void ensureFits(ByteBuffer batches, SegmentExtent before) {
    long nextOffset = before.nextOffset();
    for (int at = batches.position(); at < batches.limit(); at += view.sizeBytes()) {
      RecordBatch batch = view.wrap(batches, at);
      if (batch.baseOffset() < nextOffset) {
        throw new InvalidRecordException(
            "batch at offset " + batch.baseOffset() + " does not follow " + logPath() + ": its next offset is "
                + nextOffset);
      }
      if (batch.lastOffset() - baseOffset > Integer.MAX_VALUE) {
        throw new InvalidRecordException(
            "offset " + batch.lastOffset() + " is more than 2^31-1 above the base of " + logPath() + ": roll first");
      }
      nextOffset = batch.nextOffset();
    }
    if (before.sizeBytes() + batches.remaining() > Integer.MAX_VALUE) {
      throw new InvalidRecordException(
          logPath() + " has " + before.sizeBytes() + " bytes, " + batches.remaining()
              + " more pass 2^31-1: roll first");
    }
  }

  private void restoreAfter(DiskFailureException failure, SegmentExtent before) {
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
      indexes = readIndexes(extent.sizeBytes()).orElseGet(this::rebuildIndexes);
    }
    return indexes;
  }

  private SegmentIndexes rebuildIndexes() {
    SegmentScan scan = SegmentScan.of(openLog(), baseOffset, settings);
    scan.ensureWhole();
    scan.indexes().store(disk, path(Kind.INDEX), path(Kind.TIME_INDEX));
    return scan.indexes();
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
    openLog();
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
      file = openLog();
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
    State oldState = state;
    for (Kind kind : FILES) {
      Path from = directory.resolve(new SegmentFileName(baseOffset, kind, oldState).toString());
      Path to = directory.resolve(new SegmentFileName(baseOffset, kind, newState).toString());
      if (kind == Kind.LOG || disk.exists(from)) {
        disk.rename(from, to);
      }
      // From here on the name to open is the new one, also where a later file refuses.
      state = newState;
      if (indexes != null) {
        indexes.moved(kind, to);
      }
    }
  }

  public synchronized void setLastModified(long epochMs) {
    disk.setLastModified(path(Kind.LOG), epochMs);
  }

  public synchronized long lastModified() {
    return disk.lastModified(path(Kind.LOG));
  }

  /** Deletes the files as they are named now; those who hold it read on. */
  public synchronized void delete() {
    parted = true;
    for (Kind kind : FILES) {
      disk.deleteIfExists(path(kind));
    }
  }

  /** Takes one more hold and opens the file; false where the last was already released. */
  public synchronized boolean retain() {
    if (holds == 0) {
      return false;
    }
    openLog();
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
    if (log != null) {
      DiskFile closing = log;
      log = null;
      closing.close();
    }
    if (indexes != null) {
      SegmentIndexes closing = indexes;
      indexes = null;
      closing.close();
    }
  }

  private void discardAfter(DiskFailureException failure) {
    closeAfter(failure);
    try {
      delete();
    } catch (DiskFailureException e) {
      failure.addSuppressed(e);
    }
  }

  private void closeAfter(DiskFailureException failure) {
    try {
      closeFiles();
    } catch (DiskFailureException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public String toString() {
    return logPath() + " [" + baseOffset + ", " + nextOffset() + ")";
  }
}
