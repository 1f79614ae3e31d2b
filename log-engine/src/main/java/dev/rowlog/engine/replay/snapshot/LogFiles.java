package dev.rowlog.engine.replay.snapshot;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.LogClosedException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.replacement.SegmentReplacement;
import dev.rowlog.engine.replay.view.AbortedTransactions;
import dev.rowlog.engine.replay.view.HeldSegment;
import dev.rowlog.engine.replay.view.LogView;
import dev.rowlog.engine.segment.BatchScanner;
import dev.rowlog.engine.segment.SegmentFileName;
import dev.rowlog.engine.segment.index.AbortedTransaction;
import dev.rowlog.engine.segment.index.TransactionIndex;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of one log, opened after one listing. Any thread once made.
 *
 * @param segments ascending, held
 */
public record LogFiles(
    TopicPartition log, Path folder, List<HeldFile> segments, AbortedTransactions abortedTransactions,
    ReadPositions readPositions) {
  private static final int READ_BYTES = 256 * 1024;

  public LogFiles {
    segments = List.copyOf(segments);
  }

  /**
   * @throws dev.rowlog.engine.error.DiskFailureException where a file has gone since it was listed
   */
  public static LogFiles open(Disk disk, LogListing listing, ReadPositions readPositions) {
    List<HeldFile> segments = new ArrayList<>();
    try {
      for (SegmentFileName name : SegmentReplacement.readableLogs(disk, listing.folder(), listing.files().keySet())) {
        Path path = listing.folder().resolve(name.toString());
        segments.add(HeldFile.open(disk, path, name.baseOffset(), listing.files().get(name)));
      }
      return new LogFiles(listing.log(), listing.folder(), segments, aborted(disk, listing), readPositions);
    } catch (RuntimeException e) {
      segments.forEach(HeldFile::release);
      throw e;
    }
  }

  private static AbortedTransactions aborted(Disk disk, LogListing listing) {
    List<AbortedTransaction> aborted = new ArrayList<>();
    for (SegmentFileName name : listing.files().keySet()) {
      if (name.kind() == SegmentFileName.Kind.TRANSACTION_INDEX) {
        aborted.addAll(TransactionIndex.read(disk, listing.folder().resolve(name.toString())));
      }
    }
    return new AbortedTransactions(aborted);
  }

  /** Offset behind the last whole batch: where a log without commits ends for a reader. A torn tail is no error. */
  public long validEnd() {
    if (segments.isEmpty()) {
      return 0;
    }
    HeldFile last = segments.get(segments.size() - 1);
    return validEnd(last, last.baseOffset());
  }

  /** Offset behind the last whole batch, or the given one where there is none. */
  private static long validEnd(HeldFile segment, long otherwise) {
    DiskFile file = segment.file();
    BatchScanner batches = new BatchScanner(file, 0, file.size(), READ_BYTES);
    long end = otherwise;
    try {
      while (batches.next()) {
        batches.batch().ensureValid(file.path(), batches.position());
        end = batches.batch().nextOffset();
      }
    } catch (CorruptLogException | UnsupportedFormatException e) {
      // Torn, or being written: the batches before it count.
    }
    return end;
  }

  public void release() {
    segments.forEach(HeldFile::release);
  }

  /**
   * The files from {@code fromOffset} on as a view, with holds of its own.
   *
   * @param endOffset exclusive
   * @throws LogClosedException where whoever opened them has given them back
   */
  public LogView view(long logStartOffset, long endOffset, long fromOffset) {
    int first = 0;
    while (first + 1 < segments.size() && segments.get(first + 1).baseOffset() <= fromOffset) {
      first++;
    }
    List<HeldSegment> held = new ArrayList<>();
    try {
      for (HeldFile segment : segments.subList(first, segments.size())) {
        if (!segment.retain()) {
          throw new LogClosedException("the reader of " + log + " is closed", null);
        }
        held.add(new FileSegment(log, segment, segment.file().size(), readPositions));
      }
      return new LogView(held, logStartOffset, endOffset, abortedTransactions);
    } catch (RuntimeException e) {
      held.forEach(HeldSegment::release);
      throw e;
    }
  }

  /** A file of the snapshot. No index is asked: a reader needs none. */
  private record FileSegment(TopicPartition log, HeldFile held, long sizeBytes, ReadPositions readPositions)
      implements
        HeldSegment {
    @Override
    public long baseOffset() {
      return held.baseOffset();
    }

    @Override
    public DiskFile file() {
      return held.file();
    }

    @Override
    public Path path() {
      return held.file().path();
    }

    @Override
    public long floorPosition(long offset) {
      return readPositions.floor(log, held.fileKey(), offset, held.file(), sizeBytes);
    }

    @Override
    public void readUpTo(long baseOffset, long position) {
      readPositions.put(log, held.fileKey(), baseOffset, position);
    }

    @Override
    public void release() {
      held.release();
    }
  }
}
