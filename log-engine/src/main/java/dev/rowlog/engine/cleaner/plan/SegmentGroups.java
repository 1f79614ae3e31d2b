package dev.rowlog.engine.cleaner.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * Which neighbouring segments become one; pure (Kafka {@code Cleaner.groupSegmentsBySize}, and what Kafka does not
 * have: segments in which nothing changes stay as they are).
 *
 * <p>Neighbours are joined while their sums stay within the limits. A segment without a change is only drawn in
 * where the other side is at least a quarter of its size, so that a large clean segment is not written again for
 * the sake of a small neighbour: each byte is merged a logarithmic number of times.
 */
public final class SegmentGroups {

  /** A segment is written again for a merge only with a partner of at least a quarter of its size. */
  private static final int MERGE_RATIO = 4;

  /**
   * A segment as grouping sees it.
   *
   * @param logBytes size before the pass
   * @param endOffset exclusive: the base of the next segment
   * @param changes whether the pass changes it, so that it is written again in any case
   */
  public record Member(long baseOffset, long endOffset, long logBytes, long offsetIndexBytes, long timeIndexBytes,
      boolean changes) {}

  /**
   * Upper bounds of a group's sums.
   *
   * @param indexBytes of each of the two indexes
   */
  public record Limits(long segmentBytes, long indexBytes) {}

  /**
   * @param first index of the first member, inclusive
   * @param end index one past the last
   * @param rewritten false for a single segment without a change: it is left alone
   */
  public record Group(int first, int end, boolean rewritten) {}

  private SegmentGroups() {}

  /** Groups in the order of the segments, each segment in exactly one. */
  public static List<Group> of(List<Member> members, Limits limits) {
    List<Group> groups = new ArrayList<>();
    int first = 0;
    while (first < members.size()) {
      Sums sums = new Sums(members.get(first));
      int end = first + 1;
      while (end < members.size() && sums.accepts(members.get(end), limits)) {
        sums.add(members.get(end));
        end++;
      }
      groups.add(new Group(first, end, sums.rewritten));
      first = end;
    }
    return groups;
  }

  /** The group in hand. */
  private static final class Sums {
    private final long baseOffset;
    private long logBytes;
    private long offsetIndexBytes;
    private long timeIndexBytes;
    private boolean rewritten;

    Sums(Member first) {
      baseOffset = first.baseOffset();
      logBytes = first.logBytes();
      offsetIndexBytes = first.offsetIndexBytes();
      timeIndexBytes = first.timeIndexBytes();
      rewritten = first.changes();
    }

    boolean accepts(Member next, Limits limits) {
      return fits(next, limits)
          && (next.changes() || logBytes * MERGE_RATIO >= next.logBytes())
          && (rewritten || next.logBytes() * MERGE_RATIO >= logBytes);
    }

    private boolean fits(Member next, Limits limits) {
      return logBytes + next.logBytes() <= limits.segmentBytes()
          && offsetIndexBytes + next.offsetIndexBytes() <= limits.indexBytes()
          && timeIndexBytes + next.timeIndexBytes() <= limits.indexBytes()
          // Offsets in an index are 32 bits, relative to the base.
          && (next.logBytes() == 0 || next.endOffset() - 1 - baseOffset <= Integer.MAX_VALUE);
    }

    void add(Member next) {
      logBytes += next.logBytes();
      offsetIndexBytes += next.offsetIndexBytes();
      timeIndexBytes += next.timeIndexBytes();
      rewritten = true;
    }
  }
}
