package dev.rowlog.engine.log.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.log.policy.RetentionPolicy.Candidate;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetentionPolicyTest {
  private static final List<Candidate> SEGMENTS = List.of(new Candidate(10, 100, 1_000), new Candidate(20, 100, 3_000),
      new Candidate(30, 100, 2_000), new Candidate(30, 0, 0));

  private static int deletable(LogConfig config, long logStart, long highWatermark) {
    return RetentionPolicy.deletable(SEGMENTS, config, logStart, highWatermark, 10_000);
  }

  private static LogConfig deleting(String key, String value) {
    return LogConfig.defaults().with("cleanup.policy", "delete").with("retention.ms", "-1").with(key, value);
  }

  @Test
  void shouldKeepEverythingOfACompactedLog() {
    assertThat(deletable(LogConfig.defaults().with("retention.bytes", "0").with("retention.ms", "0"), 0, 30)).isZero();
  }

  @Test
  void shouldDeleteWhatLiesBelowTheLogStartWhateverThePolicy() {
    assertThat(deletable(LogConfig.defaults(), 10, 30)).isEqualTo(1);
    assertThat(deletable(LogConfig.defaults(), 19, 30)).isEqualTo(1);
    assertThat(deletable(LogConfig.defaults(), 20, 30)).isEqualTo(2);
  }

  @Test
  void shouldStopAtTheFirstSegmentThatIsYoungEnough() {
    assertThat(deletable(deleting("retention.ms", "8999"), 0, 30)).isEqualTo(1);
    assertThat(deletable(deleting("retention.ms", "9000"), 0, 30)).isZero();
    assertThat(deletable(deleting("retention.ms", "7500"), 0, 30)).isEqualTo(1);
  }

  @Test
  void shouldDeleteWhileAtLeastTheBytesStay() {
    assertThat(deletable(deleting("retention.bytes", "200"), 0, 30)).isEqualTo(1);
    assertThat(deletable(deleting("retention.bytes", "201"), 0, 30)).isZero();
  }

  @Test
  void shouldNeverPassTheHighWatermarkNorDeleteAnEmptyActiveSegment() {
    assertThat(deletable(deleting("retention.bytes", "0"), 0, 19)).isEqualTo(1);
    assertThat(deletable(deleting("retention.bytes", "0"), 0, 30)).isEqualTo(3);
  }
}
