package dev.rowlog.connector.cli.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DistinctKeysTest {

  @Test
  void shouldCountEachKeyOnceThroughManyGrowths() {
    // Given
    DistinctKeys keys = new DistinctKeys(12345);
    // When
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 100_000; i++) {
        byte[] key = ("{\"id\":" + i + "}").getBytes(StandardCharsets.UTF_8);
        keys.add(ByteBuffer.wrap(key), 0, key.length);
      }
    }
    // Then
    assertThat(keys.count()).isEqualTo(100_000);
  }

  @Test
  void shouldTellNoKeyFromAnEmptyOneAndZerosByTheirLength() {
    DistinctKeys keys = new DistinctKeys(0);
    for (int length = -1; length < 20; length++) {
      keys.add(ByteBuffer.allocate(32), 0, length);
    }
    assertThat(keys.count()).isEqualTo(21);
  }
}
