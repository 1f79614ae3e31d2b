package dev.rowlog.engine.log;

import dev.rowlog.engine.segment.Segment;
import java.util.List;

/**
 * Swaps cleaned segments in for their sources: {@code .cleaned} → {@code .swap} → final, in an order that a crash at any point
 * leaves to one of "before" and "after"; and the other direction, what an opening does with each state that it finds.
 *
 * @param sources closed segments, ascending, contiguous
 * @param cleaned their replacements in state {@code .cleaned}, ascending, already synced
 */
public record SegmentReplacement(List<Segment> sources, List<Segment> cleaned) {
  public SegmentReplacement {
    sources = List.copyOf(sources);
    cleaned = List.copyOf(cleaned);
  }
}
