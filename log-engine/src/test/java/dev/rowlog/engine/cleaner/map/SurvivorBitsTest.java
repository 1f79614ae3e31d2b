package dev.rowlog.engine.cleaner.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.Seeds;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

class SurvivorBitsTest {
  @Test
  void shouldCountSetBitsOfAnyRange() {
    Seeds.forEach(50, random -> {
      // Given
      int size = 1 + random.nextInt(500);
      SurvivorBits bits = new SurvivorBits();
      BitSet model = new BitSet();
      model.set(0, size);
      bits.ensure(size);
      for (int i = 0; i < size / 2; i++) {
        int cleared = random.nextInt(size);
        bits.clear(cleared);
        model.clear(cleared);
      }
      int from = random.nextInt(size);
      int end = from + random.nextInt(size - from + 1);

      // When
      long count = bits.count(from, end);

      // Then
      assertThat(count).isEqualTo(model.get(from, end).cardinality());
    });
  }

  @Test
  void shouldStartWithEveryBitSetAgainAfterAReset() {
    // Given
    SurvivorBits bits = new SurvivorBits();
    bits.ensure(200);
    bits.clear(0);
    bits.clear(199);

    // When
    bits.reset();
    bits.ensure(200);

    // Then
    assertThat(bits.count(0, 200)).isEqualTo(200);
  }
}
