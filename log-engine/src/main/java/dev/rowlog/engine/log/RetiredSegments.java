package dev.rowlog.engine.log;

import dev.rowlog.engine.segment.Segment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Segments that a log has let go, renamed to {@code .deleted}, until their files are unlinked. Guarded by the log's
 * lock.
 */
final class RetiredSegments {
  private final List<Entry> entries = new ArrayList<>();

  private record Entry(Segment segment, long retiredMs) {}

  void add(Segment segment, long nowMs) {
    entries.add(new Entry(segment, nowMs));
  }

  /** Unlinks an older one of the same base, whose name another is about to take. */
  void deleteNamesake(long baseOffset) {
    for (Iterator<Entry> iterator = entries.iterator(); iterator.hasNext();) {
      Entry entry = iterator.next();
      if (entry.segment().baseOffset() == baseOffset) {
        entry.segment().delete();
        iterator.remove();
        entry.segment().close();
      }
    }
  }

  /** Unlinks those retired at or before an instant (ms); returns how many. */
  int deleteRetiredUpTo(long epochMs) {
    int count = 0;
    for (Iterator<Entry> iterator = entries.iterator(); iterator.hasNext();) {
      Entry entry = iterator.next();
      if (entry.retiredMs() <= epochMs) {
        entry.segment().delete();
        iterator.remove();
        entry.segment().close();
        count++;
      }
    }
    return count;
  }

  List<Segment> all() {
    return entries.stream().map(Entry::segment).toList();
  }
}
