package dev.rowlog.engine.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.Seeds;
import dev.rowlog.engine.error.InvalidRecordException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.utils.ByteUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VarintTest {
  @ParameterizedTest
  @ValueSource(longs = {0, -1, 1, 63, 64, -64, -65, 8191, 8192, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE,
      Long.MIN_VALUE})
  void shouldAgreeWithKafkaAtTheBorders(long value) {
    assertAgreesWithKafka(value);
  }

  @Test
  void shouldAgreeWithKafkaOnRandomValues() {
    Seeds.forEach(2000, random -> assertAgreesWithKafka(random.nextLong() >> random.nextInt(64)));
  }

  private static void assertAgreesWithKafka(long value) {
    ByteBuffer expected = ByteBuffer.allocate(20);
    ByteUtils.writeVarlong(value, expected);
    ByteUtils.writeVarint((int) value, expected);
    ByteBuffer actual = ByteBuffer.allocate(20);
    Varint.write(value, actual);
    assertThat(actual.position()).isEqualTo(Varint.sizeOf(value)).isEqualTo(ByteUtils.sizeOfVarlong(value));
    Varint.write((int) value, actual);
    assertThat(Varint.sizeOf((int) value)).isEqualTo(ByteUtils.sizeOfVarint((int) value));
    assertThat(actual.flip()).isEqualTo(expected.flip());
    assertThat(Varint.readLong(actual)).isEqualTo(value);
    assertThat(Varint.readInt(actual)).isEqualTo((int) value);
    assertThat(actual.hasRemaining()).isFalse();
  }

  @Test
  void shouldRefuseAVarintThatIsTooLong() {
    byte[] endless = new byte[20];
    Arrays.fill(endless, (byte) 0x80);
    assertThatThrownBy(() -> Varint.readInt(ByteBuffer.wrap(endless))).isInstanceOf(InvalidRecordException.class)
        .hasMessageContaining("longer than 5 bytes");
    assertThatThrownBy(() -> Varint.readLong(ByteBuffer.wrap(endless))).isInstanceOf(InvalidRecordException.class)
        .hasMessageContaining("longer than 10 bytes");
  }

  @Test
  void shouldRefuseAVarintThatIsCutShort() {
    byte[] cut = {(byte) 0x80, (byte) 0x80};
    assertThatThrownBy(() -> Varint.readInt(ByteBuffer.wrap(cut))).isInstanceOf(InvalidRecordException.class);
    assertThatThrownBy(() -> Varint.readLong(ByteBuffer.wrap(cut))).isInstanceOf(InvalidRecordException.class);
  }
}
