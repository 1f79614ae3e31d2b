package dev.rowlog.connector.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredRowTest {
  private static final byte[][] LABELS = {bytes("\"a\":"), bytes("\"b,\\\"\":"), bytes("\"c\":")};

  @ParameterizedTest
  @ValueSource(strings = {"1", "-0.00", "null", "true", "\"\"", "\"x\"", "\"\\\"\"", "\"\\\\\"", "\"},{][\"", "{}",
      "[]",
      "  {\"a\" : [1, {\"b\":\"]}\"}]}\n ", "[1,2,[3,\"]\"]]", "{\"b,\\\"\":1,\"c\":2}", "\"größe 😀\""})
  void shouldGiveEachValueJustAsItStands(String value) {
    StoredRow row = StoredRow.parse(bytes("{\"a\":" + value + ",\"b,\\\"\":" + value + ",\"c\":" + value + "}"),
        LABELS);

    for (int column = 0; column < 3; column++) {
      assertThat(new String(row.json(), row.start(column), row.end(column) - row.start(column), StandardCharsets.UTF_8))
          .isEqualTo(value);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{}", "{\"a\":1}", "{\"a\":1,\"x\":2,\"c\":3}",
      "{\"a\":1,\"b,\\\"\":2,\"c\":3,\"d\":4}",
      "{\"a\":1,\"b,\\\"\":2,\"c\":\"3}", "{\"a\":1,\"b,\\\"\":2,\"c\":3} "})
  void shouldRefuseARowOfAnotherTable(String json) {
    assertThatThrownBy(() -> StoredRow.parse(bytes(json), LABELS)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("last row");
  }

  @Test
  void shouldParseARowOfOneColumn() {
    StoredRow row = StoredRow.parse(bytes("{\"a\":[1]}"), new byte[][]{LABELS[0]});
    assertThat(row.end(0) - row.start(0)).isEqualTo(3);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
