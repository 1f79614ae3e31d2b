package dev.rowlog.connector.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rowlog.connector.change.SourcePosition.Phase;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SourcePositionTest {
  private static final String STREAMING = "{\"system_identifier\":\"7501234567890123456\",\"timeline\":2,\"database\":\"sh\\\"op\","
      + "\"slot\":\"rowlog\",\"phase\":\"STREAMING\",\"lsn\":\"FFFFFFFF/16B3748\",\"commit_ts_us\":1700000000123456}";

  private static SourcePosition parse(String json) {
    return SourcePosition.parse(json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void shouldEncodeWhatItParses() {
    // When
    SourcePosition position = parse(STREAMING);

    // Then
    assertThat(position).isEqualTo(new SourcePosition("7501234567890123456", 2, "sh\"op", "rowlog", Phase.STREAMING,
        Lsn.parse("FFFFFFFF/16B3748"), 1_700_000_000_123_456L));
    assertThat(new String(position.toBytes(), StandardCharsets.UTF_8)).isEqualTo(STREAMING);
  }

  @Test
  void shouldHaveNoLsnInAnIntentOnly() {
    // Given
    SourcePosition intent = new SourcePosition("1", 1, "db", "slot", Phase.INTENT, null, 0);

    // When
    SourcePosition parsed = SourcePosition.parse(intent.toBytes());

    // Then
    assertThat(parsed).isEqualTo(intent);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SourcePosition("1", 1, "db", "slot", Phase.INTENT, new Lsn(1), 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SourcePosition("1", 1, "db", "slot", Phase.SNAPSHOT, null, 0));
  }

  @Test
  void shouldIgnoreFieldsOfANewerVersion() {
    assertThat(parse(STREAMING.replace("{\"sys", "{\"new\":[1],\"sys"))).isEqualTo(parse(STREAMING));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "[]", "null", "not json", "{\"system_identifier\":\"1\"}"})
  void shouldRefuseWhatIsNoPosition(String json) {
    assertThatIllegalArgumentException().isThrownBy(() -> parse(json)).withMessageContaining("not a source position");
  }
}
