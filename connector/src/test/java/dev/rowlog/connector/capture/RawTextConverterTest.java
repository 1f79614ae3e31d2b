package dev.rowlog.connector.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.connector.change.RowImage;
import io.debezium.connector.postgresql.UnchangedToastedReplicationMessageColumn;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RawTextConverterTest {

  @Test
  void shouldTakeTextAndNullAsTheyAreAndKnowEveryMarkOfUnchangedToast() {
    assertThat(RawTextConverter.text("c", "24:00:00-15:59")).isEqualTo("24:00:00-15:59");
    assertThat(RawTextConverter.text("c", null)).isNull();
    assertThat(RawTextConverter.text("c", UnchangedToastedReplicationMessageColumn.UNCHANGED_TOAST_VALUE))
        .isSameAs(RowImage.UNCHANGED_TOAST);
    assertThat(RawTextConverter.text("c", UnchangedToastedReplicationMessageColumn.UNCHANGED_INT_ARRAY_TOAST_VALUE))
        .isSameAs(RowImage.UNCHANGED_TOAST);
  }

  static Stream<Object> converted() {
    return Stream.of(1, 1L, true, new byte[]{1}, OffsetTime.of(1, 2, 3, 0, ZoneOffset.UTC));
  }

  @ParameterizedTest
  @MethodSource("converted")
  void shouldRefuseWhateverADecoderHasConverted(Object value) {
    assertThatThrownBy(() -> RawTextConverter.text("price", value)).isInstanceOf(ConnectException.class)
        .hasMessageContaining("column price arrived as").hasMessageContaining("Debezium version");
  }
}
