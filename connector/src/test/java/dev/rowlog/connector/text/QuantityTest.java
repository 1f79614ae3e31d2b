package dev.rowlog.connector.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {

  @ParameterizedTest
  @CsvSource({"0, 0 B", "1023, 1023 B", "1024, 1.0 KiB", "10240, 10 KiB", "1572864, 1.5 MiB",
      "9223372036854775807, 8192 PiB"})
  void shouldPrintBytesInBinaryUnits(long bytes, String text) {
    assertThat(Quantity.bytes(bytes)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"0, 0 ms", "999, 999 ms", "1500, 1.5 s", "61000, 1 min 1 s", "3660000, 1 h 1 min"})
  void shouldPrintDurations(long ms, String text) {
    assertThat(Quantity.duration(Duration.ofMillis(ms))).isEqualTo(text);
  }

  @Test
  void shouldNotDependOnLocaleOrZone() {
    assertThat(Quantity.count(1_234_567)).isEqualTo("1,234,567");
    assertThat(Quantity.time(0)).isEqualTo("1970-01-01 00:00:00Z");
    assertThat(Quantity.time(-1)).isEqualTo("-");
  }
}
