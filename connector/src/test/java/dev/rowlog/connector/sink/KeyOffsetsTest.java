package dev.rowlog.connector.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyOffsetsTest {

  @Test
  void shouldBehaveAsAMap() {
    Random random = new Random(5);
    KeyOffsets offsets = new KeyOffsets();
    Map<Long, Long> model = new HashMap<>();
    for (int i = 0; i < 400_000; i++) {
      // Few different high bits, so that neighbours collide and shift.
      long hash = (long) random.nextInt(64) << 58 | 1 + random.nextInt(3000);
      if (random.nextInt(3) == 0) {
        offsets.remove(hash);
        model.remove(hash);
      } else {
        offsets.put(hash, i);
        model.put(hash, (long) i);
      }
    }
    assertThat(offsets.size()).isEqualTo(model.size());
    model.forEach((hash, offset) -> assertThat(offsets.get(hash)).isEqualTo(offset));
    assertThat(offsets.get(77L << 40)).isEqualTo(KeyOffsets.NONE);
  }

  @Test
  void shouldTakeAtMost32BytesAKey() {
    Random random = new Random(6);
    KeyOffsets offsets = new KeyOffsets();
    for (int i = 0; i < 300_000; i++) {
      offsets.put(random.nextLong() | 1, i);
      if (offsets.size() > 2000) {
        assertThat(offsets.sizeBytes()).isLessThanOrEqualTo(32 * offsets.size());
      }
    }
  }

  @Test
  void shouldGiveEveryKeyAHashOfItsOwnWhereverItLies() {
    Set<Long> hashes = new HashSet<>();
    for (int i = 0; i < 100_000; i++) {
      byte[] key = ("{\"id\":" + i + "}").getBytes(StandardCharsets.US_ASCII);
      ByteBuffer inside = ByteBuffer.allocate(64).put(3, key).limit(3 + key.length).position(3);
      assertThat(LastRows.hash(inside)).isEqualTo(LastRows.hash(ByteBuffer.wrap(key))).isNotZero();
      hashes.add(LastRows.hash(inside));
    }
    assertThat(hashes).hasSize(100_000);
  }
}
