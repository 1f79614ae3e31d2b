package dev.rowlog.connector.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableRangesTest {

  @Test
  void shouldReadAnEmptyTableInOneOpenRange() {
    // When
    List<PageRange> ranges = TableRanges.of(0, 512);

    // Then
    assertThat(ranges).containsExactly(new PageRange(0, PageRange.OPEN));
    assertThat(ranges.get(0).condition()).isEqualTo("ctid >= '(0,0)'");
  }

  @Test
  void shouldLeaveTheLastRangeOpenWhenTheSizeIsAMultiple() {
    // When
    List<PageRange> ranges = TableRanges.of(1024, 512);

    // Then
    assertThat(ranges).containsExactly(new PageRange(0, 512), new PageRange(512, PageRange.OPEN));
    assertThat(ranges.get(0).condition()).isEqualTo("ctid >= '(0,0)' and ctid < '(512,0)'");
  }

  @Test
  void shouldJoinRangesWithoutGapOrOverlap() {
    for (long pages = 1; pages < 40; pages++) {
      // When
      List<PageRange> ranges = TableRanges.of(pages, 7);

      // Then
      assertThat(ranges.get(0).from()).isZero();
      for (int i = 1; i < ranges.size(); i++) {
        assertThat(ranges.get(i).from()).as("%s pages", pages).isEqualTo(ranges.get(i - 1).to());
      }
      assertThat(ranges.get(ranges.size() - 1).to()).isEqualTo(PageRange.OPEN);
      assertThat(ranges.get(ranges.size() - 1).from()).isLessThan(pages);
    }
  }
}
