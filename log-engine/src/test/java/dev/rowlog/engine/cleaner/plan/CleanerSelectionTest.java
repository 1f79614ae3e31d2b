package dev.rowlog.engine.cleaner.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CleanerSelectionTest {
  private static final long NOW = 100_000;
  private static final long NO_LIMIT = Long.MAX_VALUE;

  @Test
  void shouldChooseTheHighestRatioAmongTheEligible() {
    // When
    Optional<String> chosen = choose(log("half", 50, 50, 0.5, NO_LIMIT), log("most", 20, 80, 0.9, NO_LIMIT),
        log("two thirds", 100, 200, 0.5, NO_LIMIT));

    // Then
    assertThat(chosen).contains("two thirds");
  }

  @Test
  void shouldTakeALogAtExactlyTheMinimumRatio() {
    assertThat(choose(log("half", 50, 50, 0.5, NO_LIMIT))).contains("half");
  }

  @Test
  void shouldTakeNoneBelowTheMinimumRatio() {
    assertThat(choose(log("four tenths", 60, 40, 0.5, NO_LIMIT))).isEmpty();
  }

  @Test
  void shouldTakeNoneWithoutAByteToClean() {
    assertThat(choose(log("clean", 100, 0, 0, NO_LIMIT), log("empty", 0, 0, 0, 1))).isEmpty();
  }

  @Test
  void shouldTakeAnOverdueLogBeforeADirtierOne() {
    assertThat(choose(log("dirtiest", 0, 100, 0.5, NO_LIMIT), log("overdue", 99, 1, 0.5, 10_000))).contains("overdue");
  }

  @Test
  void shouldTakeTheMostOverdueFirst() {
    assertThat(choose(log("a little", 0, 100, 0.5, 80_000), log("much", 99, 1, 0.5, 10_000))).contains("much");
  }

  @Test
  void shouldTakeTheFirstOfEquals() {
    assertThat(choose(log("a", 50, 50, 0.5, NO_LIMIT), log("b", 50, 50, 0.5, NO_LIMIT))).contains("a");
  }

  private static Optional<String> choose(Log... logs) {
    List<CleanerSelection.Candidate<String>> candidates = Stream.of(logs).map(Log::candidate).toList();
    return CleanerSelection.choose(candidates, NOW).map(CleanerSelection.Candidate::subject);
  }

  private static Log log(String name, long cleanBytes, long cleanableBytes, double minRatio, long maxLag) {
    return new Log(name, cleanBytes, cleanableBytes, minRatio, maxLag);
  }

  /** A log whose oldest dirty record is of 1000. */
  private record Log(String name, long cleanBytes, long cleanableBytes, double minRatio, long maxLag) {
    CleanerSelection.Candidate<String> candidate() {
      DirtyRange range = new DirtyRange(0, 10, cleanBytes, cleanableBytes, 1_000, false);
      return new CleanerSelection.Candidate<>(name, range, minRatio, maxLag);
    }
  }
}
