package dev.rowlog.engine.cleaner.plan;

import dev.rowlog.engine.log.SegmentList;
import dev.rowlog.engine.segment.Segment;
import java.util.List;

/**
 * What deciding where to clean needs to know of one segment. Immutable.
 *
 * @param sizeBytes of the {@code .log}
 * @param largestTimestamp ms; the file's mtime where no batch has a timestamp
 * @param firstBatchTimestamp ms; -1 where the segment is empty or its first batch has none
 */
public record SegmentFacts(long baseOffset, long sizeBytes, long largestTimestamp, long firstBatchTimestamp) {

  public static SegmentFacts of(Segment segment) {
    return new SegmentFacts(
        segment.baseOffset(), segment.sizeBytes(), segment.largestTimestamp(), segment.firstBatchTimestamp());
  }

  /** All segments of a log, the active one last. */
  public static List<SegmentFacts> of(SegmentList segments) {
    return segments.all().stream().map(SegmentFacts::of).toList();
  }
}
