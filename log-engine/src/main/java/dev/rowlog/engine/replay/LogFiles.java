package dev.rowlog.engine.replay;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.segment.BatchScanner;
import dev.rowlog.engine.segment.SegmentFileName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The files of one log, opened after one listing. Any thread once made.
 *
 * @param segments ascending, held
 */
record LogFiles(TopicPartition log, Path folder, List<HeldFile> segments, AbortedTransactions abortedTransactions) {
  private static final int READ_BYTES = 256 * 1024;

  LogFiles {
    segments = List.copyOf(segments);
  }

  /**
   * @throws dev.rowlog.engine.error.DiskFailureException where a file has gone since it was listed
   */
  static LogFiles open(Disk disk, LogListing listing) {
    NavigableMap<Long, HeldFile> segments = new TreeMap<>();
    List<AbortedTransactions.Aborted> aborted = new ArrayList<>();
    try {
      for (Map.Entry<SegmentFileName, Object> entry : listing.files().entrySet()) {
        SegmentFileName name = entry.getKey();
        Path path = listing.folder().resolve(name.toString());
        if (name.kind() == SegmentFileName.Kind.TRANSACTION_INDEX) {
          aborted.addAll(AbortedTransactions.parse(disk.readAll(path), path));
        } else if (name.state() == SegmentFileName.State.FINAL) {
          segments.put(name.baseOffset(), HeldFile.open(disk, path, name.baseOffset(), entry.getValue()));
        }
      }
      takeSwapped(disk, listing, segments);
      return new LogFiles(listing.log(), listing.folder(), new ArrayList<>(segments.values()), new AbortedTransactions(aborted));
    } catch (RuntimeException e) {
      segments.values().forEach(HeldFile::release);
      throw e;
    }
  }

  /**
   * A writer that was killed in the middle of a swap has left {@code .swap} files: complete replacements of the segments in their range,
   * unless {@code .cleaned} ones below them say that not all were named (what an opening does too, {@code SegmentReplacement}).
   */
  private static void takeSwapped(Disk disk, LogListing listing, NavigableMap<Long, HeldFile> segments) {
    long firstCleaned = firstOf(listing, SegmentFileName.State.CLEANED);
    long from = firstOf(listing, SegmentFileName.State.SWAP);
    NavigableMap<Long, HeldFile> swapped = new TreeMap<>();
    try {
      long to = from;
      for (Map.Entry<SegmentFileName, Object> entry : listing.files().entrySet()) {
        SegmentFileName name = entry.getKey();
        if (name.state() == SegmentFileName.State.SWAP && name.baseOffset() < firstCleaned) {
          HeldFile file =
              HeldFile.open(disk, listing.folder().resolve(name.toString()), name.baseOffset(), entry.getValue());
          swapped.put(name.baseOffset(), file);
          to = Math.max(to, validEnd(file, name.baseOffset()));
        }
      }
      if (!swapped.isEmpty()) {
        NavigableMap<Long, HeldFile> replaced = segments.subMap(from, true, to, false);
        replaced.values().forEach(HeldFile::release);
        replaced.clear();
        segments.putAll(swapped);
      }
    } catch (RuntimeException e) {
      swapped.values().forEach(HeldFile::release);
      throw e;
    }
  }

  private static long firstOf(LogListing listing, SegmentFileName.State state) {
    return listing.files().keySet().stream()
        .filter(name -> name.state() == state && name.kind() == SegmentFileName.Kind.LOG)
        .mapToLong(SegmentFileName::baseOffset).min().orElse(Long.MAX_VALUE);
  }

  /** Offset behind the last whole batch: where a log without commits ends for a reader. A torn tail is no error. */
  long validEnd() {
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

  /** The same files with one more hold; whoever owns this one keeps its own. */
  LogFiles retain() {
    segments.forEach(HeldFile::retain);
    return this;
  }

  void release() {
    segments.forEach(HeldFile::release);
  }

  /**
   * The files from {@code fromOffset} on as a view, which takes over this object's hold.
   *
   * @param endOffset exclusive
   */
  LogView view(long logStartOffset, long endOffset, long fromOffset) {
    int first = 0;
    while (first + 1 < segments.size() && segments.get(first + 1).baseOffset() <= fromOffset) {
      segments.get(first).release();
      first++;
    }
    List<HeldSegment> held = new ArrayList<>();
    for (HeldFile segment : segments.subList(first, segments.size())) {
      held.add(new FileSegment(segment, segment.file().size()));
    }
    return new LogView(held, logStartOffset, endOffset, abortedTransactions);
  }

  /** A file of the snapshot. No index is asked: a reader needs none. */
  private record FileSegment(HeldFile held, long sizeBytes) implements HeldSegment {
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
      return 0;
    }

    @Override
    public void release() {
      held.release();
    }
  }
}
