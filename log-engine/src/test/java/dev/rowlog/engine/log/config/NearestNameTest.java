package dev.rowlog.engine.log.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {

  @ParameterizedTest
  @CsvSource({"abc, abc, 0", "abc, ab, 1", "ab, abc, 1", "abc, axc, 1", "kitten, sitting, 3", "'', abc, 3"})
  void shouldCountInsertionsDeletionsAndSubstitutions(String a, String b, int distance) {
    assertThat(NearestName.distance(a, b)).isEqualTo(distance);
  }

  @Test
  void shouldFindNothingWhereNothingIsNear() {
    assertThat(NearestName.of("xyzxyz", List.of("source.url", "data.dir"))).isEmpty();
  }
}
