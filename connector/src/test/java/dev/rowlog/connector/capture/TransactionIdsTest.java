package dev.rowlog.connector.capture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TransactionIdsTest {

  @Test
  void shouldAddTheEpochOfTheNearestId() {
    // Given
    TransactionIds ids = new TransactionIds(0x5_0000_0010L);

    // When / Then
    assertThat(ids.full(0x0FL)).isEqualTo(0x5_0000_000FL);
    assertThat(ids.full(0x10L)).isEqualTo(0x5_0000_0010L);
    assertThat(ids.full(0xFFFF_FFF0L)).isEqualTo(0x4_FFFF_FFF0L);
    assertThat(ids.full(0x7000_0000L)).isEqualTo(0x5_7000_0000L);
  }

  @Test
  void shouldGoOnIntoTheNextEpoch() {
    // Given
    TransactionIds ids = new TransactionIds(0xFFFF_FFFEL);

    // When
    long last = ids.full(0xFFFF_FFFFL);
    long first = ids.full(3);
    long late = ids.full(0xFFFF_FFF0L);

    // Then
    assertThat(last).isEqualTo(0xFFFF_FFFFL);
    assertThat(first).isEqualTo(0x1_0000_0003L);
    assertThat(late).isEqualTo(0xFFFF_FFF0L);
  }
}
