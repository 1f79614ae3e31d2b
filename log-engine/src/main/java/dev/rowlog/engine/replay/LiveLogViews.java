package dev.rowlog.engine.replay;

import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.SegmentList;
import dev.rowlog.engine.replay.view.AbortedTransactions;
import dev.rowlog.engine.replay.view.HeldSegment;
import dev.rowlog.engine.replay.view.LogView;
import dev.rowlog.engine.replay.view.LogViews;
import dev.rowlog.engine.segment.Segment;
import dev.rowlog.engine.segment.index.AbortedTransaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Views of an open log. Any thread.
 *
 * <p>A view holds all its segments from the start: were a later one taken only when the cursor gets there, the cleaner might have removed
 * records from it in favour of newer ones beyond the view's end, and the reader would see neither.
 */
final class LiveLogViews implements LogViews {
  private final PartitionLog log;

  LiveLogViews(PartitionLog log) {
    this.log = log;
  }

  @Override
  public String name() {
    return log.topicPartition().toString();
  }

  @Override
  public LogView hold(long fromOffset) {
    while (true) {
      SegmentList segments = log.segments();
      // The end after the list, and the list still the same after the end: no roll and no replacement lies between the two.
      long endOffset = log.lastStableOffset();
      AbortedTransactions aborted = aborted(segments, fromOffset);
      List<HeldSegment> held = retain(segments, fromOffset);
      if (!held.isEmpty() && log.segments().all().equals(segments.all())) {
        return new LogView(held, log.logStartOffset(), endOffset, aborted);
      }
      held.forEach(HeldSegment::release);
    }
  }

  private static List<Segment> from(SegmentList segments, long offset) {
    return segments.all().subList(segments.floorIndex(offset), segments.all().size());
  }

  private static AbortedTransactions aborted(SegmentList segments, long fromOffset) {
    List<AbortedTransaction> aborted = new ArrayList<>();
    from(segments, fromOffset).forEach(segment -> aborted.addAll(segment.abortedTransactions()));
    return new AbortedTransactions(aborted);
  }

  /** Empty where a segment was closed meanwhile. */
  private static List<HeldSegment> retain(SegmentList segments, long fromOffset) {
    List<HeldSegment> held = new ArrayList<>();
    try {
      for (Segment segment : from(segments, fromOffset)) {
        if (!segment.retain()) {
          held.forEach(HeldSegment::release);
          return List.of();
        }
        held.add(new OpenSegment(segment, segment.sizeBytes()));
      }
      return held;
    } catch (RuntimeException e) {
      held.forEach(HeldSegment::release);
      throw e;
    }
  }

  @Override
  public Optional<LogView> holdIfNewer(long seenEndOffset, long fromOffset) {
    return log.lastStableOffset() > seenEndOffset ? Optional.of(hold(fromOffset)) : Optional.empty();
  }

  /** A segment of the open log, retained. */
  private record OpenSegment(Segment segment, long sizeBytes) implements HeldSegment {
    @Override
    public long baseOffset() {
      return segment.baseOffset();
    }

    @Override
    public DiskFile file() {
      return segment.logFile();
    }

    @Override
    public Path path() {
      return segment.logPath();
    }

    @Override
    public long floorPosition(long offset) {
      return segment.floorPosition(offset);
    }

    @Override
    public void release() {
      segment.release();
    }
  }
}
