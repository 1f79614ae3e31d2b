package dev.rowlog.engine.cleaner.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetentionRuleTest {
  private static final RetentionRule RULE = new RetentionRule(100, 5_000, 1_000);

  @ParameterizedTest(name = "{6}: offset {0}, key {1}, superseded {2}, tombstone {3}, horizon {4} -> kept {5}")
  @CsvSource({
      "10, true, false, false, none, true, the newest value of a key stays",
      "10, true, true, false, none, false, an older value goes",
      "10, false, false, false, none, false, a record without key goes",
      "10, true, false, true, none, true, a tombstone without horizon stays",
      "10, true, true, true, none, false, an older tombstone goes",
      "10, true, false, true, 5001, true, a tombstone stays before its horizon",
      "10, true, false, true, 5000, false, a tombstone goes at its horizon",
      "10, true, false, true, 4999, false, a tombstone goes after its horizon",
      "10, true, true, true, 9000, false, an older tombstone goes before its horizon",
      "10, true, false, false, 4999, true, a value stays whatever the horizon of its batch",
      "99, true, true, false, none, false, the last offset of the pass is judged",
      "100, true, true, false, none, true, the end of the pass is not",
      "100, false, false, false, none, true, a record without key beyond the end stays",
      "100, true, false, true, 1, true, an expired tombstone beyond the end stays",
  })
  void shouldKeepOrDiscard(
      long offset, boolean hasKey, boolean superseded, boolean tombstone, String horizon, boolean kept, String clause) {
    // When
    boolean result = RULE.keeps(offset, hasKey, superseded, tombstone, horizonMs(horizon));

    // Then
    assertThat(result).as(clause).isEqualTo(kept);
  }

  @ParameterizedTest
  @CsvSource({
      // own horizon, last offset of the batch, horizon to set
      "none, 99, 6000", "none, 100, none", "none, 0, 6000", "1234, 99, none", "9999, 99, none"
  })
  void shouldSetAHorizonOnceAndOnlyBelowTheEnd(String own, long lastOffset, String expected) {
    // When
    long horizon = RULE.horizonToSet(horizonMs(own), lastOffset);

    // Then
    assertThat(horizon).isEqualTo(horizonMs(expected));
  }

  @Test
  void shouldKeepTombstonesForEverWhenTheRetentionHasNoEnd() {
    // Given
    RetentionRule rule = new RetentionRule(100, 5_000, Long.MAX_VALUE);

    // When
    long horizon = rule.horizonToSet(RetentionRule.NO_HORIZON, 0);

    // Then
    assertThat(horizon).isEqualTo(Long.MAX_VALUE);
  }

  private static long horizonMs(String text) {
    return text.equals("none") ? RetentionRule.NO_HORIZON : Long.parseLong(text);
  }
}
