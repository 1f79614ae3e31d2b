package dev.rowlog.engine.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.segment.SegmentFileName.Kind;
import dev.rowlog.engine.segment.SegmentFileName.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentFileNameTest {
  @Test
  void shouldParseWhatItPrintsForEveryKindAndState() {
    for (Kind kind : Kind.values()) {
      for (State state : State.values()) {
        SegmentFileName name = new SegmentFileName(4096, kind, state);
        assertThat(SegmentFileName.parse(name.toString())).contains(name);
      }
    }
    assertThat(new SegmentFileName(4096, Kind.LOG, State.SWAP)).hasToString("00000000000000004096.log.swap");
  }

  @Test
  void shouldParseTheLargestOffset() {
    assertThat(SegmentFileName.parse("09223372036854775807.log")).map(SegmentFileName::baseOffset)
        .contains(Long.MAX_VALUE);
    assertThat(SegmentFileName.parse("09223372036854775808.log")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "", "log", "0.log", "0000000000000000000.log", "000000000000000000000.log", "00000000000000000000",
      "00000000000000000000.lag",
      "00000000000000000000.log.cleaned.swap", "0000000000000000000a.log", "٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠.log",
      "00000000000000000000.LOG", "partition.metadata", "00000000000000000000.checkpoint"})
  void shouldNotTakeAnotherNameForASegment(String name) {
    assertThat(SegmentFileName.parse(name)).isEmpty();
  }
}
