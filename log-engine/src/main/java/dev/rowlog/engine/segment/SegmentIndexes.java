package dev.rowlog.engine.segment;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.segment.SegmentFileName.Kind;
import dev.rowlog.engine.segment.index.EntryFile;
import dev.rowlog.engine.segment.index.IndexSettings;
import dev.rowlog.engine.segment.index.OffsetIndex;
import dev.rowlog.engine.segment.index.TimeIndex;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Offset and time index of one segment and their files; decides which batches get an entry (Kafka {@code
 * LogSegment.append}).
 *
 * <p>One thread, but for look-ups in {@link #offsets}.
 */
final class SegmentIndexes {
  private final OffsetIndex offsets;
  private final TimeIndex times;
  private EntryFile offsetsFile;
  private EntryFile timesFile;
  private long bytesSinceEntry;

  private SegmentIndexes(OffsetIndex offsets, TimeIndex times) {
    this.offsets = offsets;
    this.times = times;
  }

  /** Empty, without files until {@link #store}. */
  static SegmentIndexes inMemory(long baseOffset) {
    return new SegmentIndexes(new OffsetIndex(baseOffset), new TimeIndex(baseOffset));
  }

  static SegmentIndexes create(Disk disk, Path offsetsPath, Path timesPath, long baseOffset) {
    SegmentIndexes indexes = inMemory(baseOffset);
    indexes.store(disk, offsetsPath, timesPath);
    return indexes;
  }

  /** Empty where a file is missing or cannot be the index of a {@code .log} of {@code logBytes}. */
  static Optional<SegmentIndexes> read(Disk disk, Path offsetsPath, Path timesPath, long baseOffset, long logBytes) {
    if (!disk.exists(offsetsPath) || !disk.exists(timesPath)) {
      return Optional.empty();
    }
    Optional<OffsetIndex> offsets = OffsetIndex.decode(ByteBuffer.wrap(disk.readAll(offsetsPath)), baseOffset,
        logBytes);
    Optional<TimeIndex> times = TimeIndex.decode(ByteBuffer.wrap(disk.readAll(timesPath)), baseOffset);
    if (offsets.isEmpty() || times.isEmpty()) {
      return Optional.empty();
    }
    SegmentIndexes indexes = new SegmentIndexes(offsets.get(), times.get());
    indexes.offsetsFile = EntryFile.existing(disk, offsetsPath, indexes.offsetsBytes());
    indexes.timesFile = EntryFile.existing(disk, timesPath, indexes.timesBytes());
    indexes.bytesSinceEntry = logBytes - indexes.offsets.lastPosition();
    return Optional.of(indexes);
  }

  /** Writes files with what was gathered in memory, replacing what is there. */
  void store(Disk disk, Path offsetsPath, Path timesPath) {
    try {
      // Without an offset index both are made again: it goes first and comes last, so that no half-written pair is
      // taken for whole.
      disk.deleteIfExists(offsetsPath);
      timesFile = EntryFile.create(disk, timesPath);
      timesFile.append(times.encode(0));
      offsetsFile = EntryFile.create(disk, offsetsPath);
      offsetsFile.append(offsets.encode(0));
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /**
   * Takes note of a batch, in memory.
   *
   * @param before without the batch
   * @param after with the batch
   */
  void add(RecordBatch batch, SegmentExtent before, SegmentExtent after, IndexSettings settings) {
    if (bytesSinceEntry > settings.intervalBytes()) {
      offsets.add(batch.lastOffset(), before.sizeBytes());
      times.addIfLarger(after.maxTimestamp(), after.maxTimestampOffset());
      bytesSinceEntry = 0;
    }
    bytesSinceEntry += batch.sizeBytes();
  }

  /** The entry that closes a segment's time index. */
  void addClosingEntry(SegmentExtent extent) {
    times.addIfLarger(extent.maxTimestamp(), extent.maxTimestampOffset());
  }

  /** Brings the files up to what is in memory. */
  void write() {
    offsetsFile.append(offsets.encode((int) (offsetsFile.sizeBytes() / OffsetIndex.ENTRY_BYTES)));
    timesFile.append(times.encode((int) (timesFile.sizeBytes() / TimeIndex.ENTRY_BYTES)));
  }

  /** Forgets batches beyond the size and the offset, in memory. */
  void truncate(long logBytes, long nextOffset) {
    offsets.truncate(offsets.countBelowPosition(logBytes));
    times.truncate(times.countBelowOffset(nextOffset));
    bytesSinceEntry = logBytes - offsets.lastPosition();
  }

  /** Cuts the files to what is in memory. */
  void trimFiles() {
    offsetsFile.truncate(Math.min(offsetsFile.sizeBytes(), offsetsBytes()));
    timesFile.truncate(Math.min(timesFile.sizeBytes(), timesBytes()));
  }

  /** One slot of the time index stays free for the closing entry. */
  boolean isFull(IndexSettings settings) {
    int maxOffsets = settings.maxIndexBytes() / OffsetIndex.ENTRY_BYTES;
    int maxTimes = settings.maxIndexBytes() / TimeIndex.ENTRY_BYTES;
    return offsets.entryCount() >= maxOffsets || times.entryCount() >= Math.max(1, maxTimes - 1);
  }

  OffsetIndex offsets() {
    return offsets;
  }

  TimeIndex times() {
    return times;
  }

  long offsetsBytes() {
    return (long) offsets.entryCount() * OffsetIndex.ENTRY_BYTES;
  }

  long timesBytes() {
    return (long) times.entryCount() * TimeIndex.ENTRY_BYTES;
  }

  void sync() {
    offsetsFile.sync();
    timesFile.sync();
  }

  void moved(Kind kind, Path path) {
    if (kind == Kind.INDEX) {
      offsetsFile.moved(path);
    } else if (kind == Kind.TIME_INDEX) {
      timesFile.moved(path);
    }
  }

  void close() {
    try {
      if (timesFile != null) {
        timesFile.close();
      }
    } finally {
      // The second to be made: there may be none where the disk refused.
      if (offsetsFile != null) {
        offsetsFile.close();
      }
    }
  }
}
