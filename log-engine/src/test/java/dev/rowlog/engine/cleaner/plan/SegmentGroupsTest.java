package dev.rowlog.engine.cleaner.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SegmentGroupsTest {
  private static final SegmentGroups.Limits LIMITS = new SegmentGroups.Limits(100, 1_000);

  @ParameterizedTest(name = "{2}: {0} -> {1}")
  @CsvSource(delimiter = '|', value = {
      "100 100* 100   | 100 / 100* / 100        | segments without a change stay as they are",
      "40* 40* 40*    | 40*+40* / 40*           | changed ones are joined up to the limit",
      "50* 50*        | 50*+50*                 | the limit itself fits",
      "50* 51*        | 50* / 51*               | one byte more does not",
      "40 40          | 40+40                   | small neighbours without a change merge",
      "80 19          | 80 / 19                 | not where the smaller is less than a quarter",
      "80 20          | 80+20                   | a quarter is enough",
      "20 80          | 20+80                   | in both directions",
      "19 80          | 19 / 80                 | and not in both directions",
      "80 19*         | 80 / 19*                | a large clean one is not drawn in by a small changed one",
      "19* 80         | 19* / 80                | nor the other way round",
      "80* 19         | 80*+19                  | a small clean one is, since the large one is written anyway",
      "19 80*         | 19+80*                  | nor the other way round",
      "80* 1*         | 80*+1*                  | changed ones join whatever their sizes",
      "0 0 50*        | 0+0+50*                 | empty ones vanish in a changed neighbour",
      "0 100          | 0 / 100                 | but do not cause a rewrite",
      "150* 10*       | 150* / 10*              | a segment above the limit is a group of its own",
      "10 10 10 60    | 10+10+10+60             | a grown group counts with its sum",
  })
  void shouldGroup(String sizes, String expected, String reason) {
    // When
    List<SegmentGroups.Member> members = members(sizes.trim().split(" +"));
    List<SegmentGroups.Group> groups = SegmentGroups.of(members, LIMITS);

    // Then
    assertThat(print(members, groups)).as(reason).isEqualTo(expected.trim());
  }

  @Test
  void shouldLeaveAloneOnlySinglesWithoutAChange() {
    // Given
    List<SegmentGroups.Member> members = members("100 100* 40 40".split(" "));

    // When
    List<SegmentGroups.Group> groups = SegmentGroups.of(members, LIMITS);

    // Then
    assertThat(groups).extracting(SegmentGroups.Group::rewritten).containsExactly(false, true, true);
  }

  @Test
  void shouldSplitWhereOffsetsLieTooFarApart() {
    // Given
    List<SegmentGroups.Member> members = List.of(
        new SegmentGroups.Member(0, Integer.MAX_VALUE, 10, 0, 0, true),
        new SegmentGroups.Member(Integer.MAX_VALUE, 1L << 31, 10, 0, 0, true),
        new SegmentGroups.Member(1L << 31, (1L << 31) + 1, 10, 0, 0, true));

    // When
    List<SegmentGroups.Group> groups = SegmentGroups.of(members, LIMITS);

    // Then
    assertThat(groups).containsExactly(new SegmentGroups.Group(0, 2, true), new SegmentGroups.Group(2, 3, true));
  }

  @Test
  void shouldSplitWhereIndexesWouldNotFit() {
    // Given
    List<SegmentGroups.Member> members = List.of(
        new SegmentGroups.Member(0, 1, 10, 600, 0, true),
        new SegmentGroups.Member(1, 2, 10, 600, 0, true),
        new SegmentGroups.Member(2, 3, 10, 0, 600, true),
        new SegmentGroups.Member(3, 4, 10, 0, 600, true));

    // When
    List<SegmentGroups.Group> groups = SegmentGroups.of(members, LIMITS);

    // Then
    assertThat(groups).extracting(SegmentGroups.Group::first).containsExactly(0, 1, 3);
  }

  @Test
  void shouldCoverEverySegmentOnceInOrder() {
    Seeds.forEach(200, random -> {
      // Given
      List<SegmentGroups.Member> members = randomMembers(random);

      // When
      List<SegmentGroups.Group> groups = SegmentGroups.of(members, LIMITS);

      // Then
      int next = 0;
      for (SegmentGroups.Group group : groups) {
        assertThat(group.first()).isEqualTo(next);
        List<SegmentGroups.Member> inside = members.subList(group.first(), group.end());
        long sum = inside.stream().mapToLong(SegmentGroups.Member::logBytes).sum();
        assertThat(inside.size() == 1 || sum <= LIMITS.segmentBytes()).isTrue();
        assertThat(group.rewritten()).isEqualTo(inside.size() > 1 || inside.get(0).changes());
        next = group.end();
      }
      assertThat(next).isEqualTo(members.size());
    });
  }

  private static List<SegmentGroups.Member> randomMembers(Random random) {
    List<SegmentGroups.Member> members = new ArrayList<>();
    int count = 1 + random.nextInt(20);
    for (int i = 0; i < count; i++) {
      members.add(new SegmentGroups.Member(i, i + 1, random.nextInt(120), 8, 12, random.nextBoolean()));
    }
    return members;
  }

  /** One a word: its size, with a star where it changes. */
  private static List<SegmentGroups.Member> members(String[] words) {
    List<SegmentGroups.Member> members = new ArrayList<>();
    for (String word : words) {
      boolean changes = word.endsWith("*");
      long size = Long.parseLong(changes ? word.substring(0, word.length() - 1) : word);
      members.add(new SegmentGroups.Member(members.size(), members.size() + 1, size, 8, 12, changes));
    }
    return members;
  }

  private static String print(List<SegmentGroups.Member> members, List<SegmentGroups.Group> groups) {
    List<String> printed = new ArrayList<>();
    for (SegmentGroups.Group group : groups) {
      List<String> inside = members.subList(group.first(), group.end())
          .stream()
          .map(member -> member.logBytes() + (member.changes() ? "*" : ""))
          .toList();
      printed.add(String.join("+", inside));
    }
    return String.join(" / ", printed);
  }
}
