package dev.rowlog.connector.table;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a table into page ranges that together hold each row once. Pure.
 *
 * <p>The last range is open-ended: a table that grew since its size was asked is still read whole, and so is one
 * whose size was 0.
 */
final class TableRanges {
  /** 4 MiB of pages: measured as fast as larger ranges, and small enough that two readers end together. */
  static final int PAGES_PER_RANGE = 512;

  private TableRanges() {}

  /**
   * @param pages {@code pg_relation_size} in pages, taken after the snapshot was imported
   */
  static List<PageRange> of(long pages, int pagesPerRange) {
    if (pages < 0 || pagesPerRange < 1) {
      throw new IllegalArgumentException(pages + " pages in ranges of " + pagesPerRange);
    }
    List<PageRange> ranges = new ArrayList<>();
    long from = 0;
    while (pages - from > pagesPerRange) {
      ranges.add(new PageRange(from, from + pagesPerRange));
      from += pagesPerRange;
    }
    ranges.add(new PageRange(from, PageRange.OPEN));
    return List.copyOf(ranges);
  }
}
