package dev.rowlog.engine.cleaner.pass;

import dev.rowlog.engine.cleaner.io.PassIo;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.record.codec.GrowableBuffer;
import dev.rowlog.engine.segment.Segment;
import dev.rowlog.engine.segment.SegmentFileName;
import dev.rowlog.engine.segment.index.IndexSettings;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The {@code .cleaned} segments that one group of sources becomes: one, or several where the batches have grown
 * (another codec level, the delete horizon) or their offsets lie too far apart. One thread.
 *
 * <p>Invariant: no segment passes {@code segment.bytes}, its indexes' size or 2^31-1 offsets; but for a single
 * batch that is larger.
 */
final class CleanedSegments {
  private static final int OFFSET_ENTRY_BYTES = 8;
  private static final int TIME_ENTRY_BYTES = 12;

  private final Disk disk;
  private final Path directory;
  private final IndexSettings indexSettings;
  private final long segmentBytes;
  private final GrowableBuffer pending;
  private final int flushBytes;
  private final PassIo io;
  private final List<Segment> segments = new ArrayList<>();
  private Segment current;
  private int pendingBatches;

  /**
   * @param pending buffer of batches that are not yet appended; {@code flushBytes} of them are appended together
   */
  CleanedSegments(
      Disk disk,
      Path directory,
      IndexSettings indexSettings,
      long segmentBytes,
      GrowableBuffer pending,
      int flushBytes,
      PassIo io) {
    this.disk = disk;
    this.directory = directory;
    this.indexSettings = indexSettings;
    this.segmentBytes = segmentBytes;
    this.pending = pending;
    this.flushBytes = flushBytes;
    this.io = io;
  }

  /** Creates the first segment. */
  void begin(long baseOffset) {
    pending.clear();
    pendingBatches = 0;
    create(baseOffset);
  }

  private void create(long baseOffset) {
    current = Segment.create(disk, directory, baseOffset, SegmentFileName.State.CLEANED, indexSettings);
    segments.add(current);
  }

  /**
   * Where the next batch is to be written: at the buffer's position.
   *
   * @param expectedBytes its size, about: before a large one what is pending goes, so that the buffer need hold no more
   *     than that batch
   */
  GrowableBuffer pending(int expectedBytes) {
    if (expectedBytes > flushBytes && pending.buffer().position() > 0) {
      appendPending(pending.buffer().position());
      pending.clear();
    }
    return pending;
  }

  /** Takes the batch that was written to {@link #pending} from byte {@code from} on. */
  void added(int from, long baseOffset, long lastOffset) {
    if (!fits(from, lastOffset)) {
      appendPending(from);
      from = 0;
      if (current.sizeBytes() > 0 && !fits(0, lastOffset)) {
        finishCurrent();
        create(baseOffset);
      }
    }
    pendingBatches++;
    if (pending.buffer().position() >= flushBytes) {
      appendPending(pending.buffer().position());
    }
  }

  /** Whether the current segment takes all that is pending, the batch at the end included. */
  private boolean fits(int from, long lastOffset) {
    int entries = pendingBatches + 1;
    boolean isFirst = from == 0 && current.sizeBytes() == 0;
    return isFirst
        || current.sizeBytes() + pending.buffer().position() <= segmentBytes
            && lastOffset - current.baseOffset() <= Integer.MAX_VALUE
            && current.offsetIndexBytes() + (long) entries * OFFSET_ENTRY_BYTES <= indexSettings.maxIndexBytes()
            // One more for the entry that closes the time index.
            && current.timeIndexBytes() + (entries + 1L) * TIME_ENTRY_BYTES <= indexSettings.maxIndexBytes();
  }

  /** Appends pending bytes up to {@code end}, and moves what follows to the front. */
  private void appendPending(int end) {
    ByteBuffer bytes = pending.buffer();
    int rest = bytes.position();
    if (end > 0) {
      bytes.position(0).limit(end);
      current.append(bytes);
      io.wrote(end);
    }
    bytes.limit(rest).position(end);
    bytes.compact();
    pendingBatches = 0;
  }

  private void finishCurrent() {
    current.becomeInactive();
    current.sync();
  }

  /**
   * Appends the rest and makes every segment durable.
   *
   * @param lastModifiedMs mtime of the newest source, which retention falls back to
   * @return ascending, in state {@code .cleaned}; the caller owns them
   */
  List<Segment> finish(long lastModifiedMs) {
    appendPending(pending.buffer().position());
    finishCurrent();
    segments.forEach(segment -> segment.setLastModified(lastModifiedMs));
    return List.copyOf(segments);
  }

  /** Deletes what was written; what cannot be deleted is added to the failure, and goes at the next opening or pass. */
  void discard(Throwable failure) {
    for (Segment segment : segments) {
      try {
        segment.delete();
        segment.close();
      } catch (RuntimeException e) {
        failure.addSuppressed(e);
      }
    }
  }
}
