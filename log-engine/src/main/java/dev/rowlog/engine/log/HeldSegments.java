package dev.rowlog.engine.log;

import dev.rowlog.engine.segment.Segment;
import java.util.List;

/** The segments of a log at one instant, held so that they stay readable whatever becomes of them. One thread. */
public final class HeldSegments implements AutoCloseable {
  private final SegmentList segments;

  private HeldSegments(SegmentList segments) {
    this.segments = segments;
  }

  public static HeldSegments of(PartitionLog log) {
    while (true) {
      SegmentList segments = log.segments();
      int held = hold(segments.all());
      if (held == segments.all().size()) {
        return new HeldSegments(segments);
      }
      // One went meanwhile: the log has a newer list.
      segments.all().subList(0, held).forEach(Segment::release);
    }
  }

  private static int hold(List<Segment> segments) {
    int held = 0;
    try {
      while (held < segments.size() && segments.get(held).retain()) {
        held++;
      }
      return held;
    } catch (RuntimeException e) {
      segments.subList(0, held).forEach(Segment::release);
      throw e;
    }
  }

  public SegmentList segments() {
    return segments;
  }

  @Override
  public void close() {
    segments.all().forEach(Segment::release);
  }
}
