package dev.rowlog.engine.log;

import dev.rowlog.engine.segment.Segment;
import java.util.List;

/**
 * The segments of a log at one instant, ascending by base offset; the last is the active one. Immutable.
 */
public final class SegmentList {
  private final List<Segment> segments;

  public SegmentList(List<Segment> segments) {
    this.segments = List.copyOf(segments);
  }

  public List<Segment> all() {
    return segments;
  }

  public Segment active() {
    return segments.get(segments.size() - 1);
  }

  /** Every segment but the active one. */
  public List<Segment> inactive() {
    return segments.subList(0, segments.size() - 1);
  }

  /**
   * Index of the segment whose range holds {@code offset}: the last with base at or below it; 0 where it is below
   * all.
   */
  public int floorIndex(long offset) {
    int low = 0;
    int high = segments.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (segments.get(middle).baseOffset() <= offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return Math.max(0, low - 1);
  }
}
