package dev.rowlog.connector.replay.opensearch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlog.connector.replay.spi.TargetException;
import dev.rowlog.connector.replay.spi.TargetRow;
import org.junit.jupiter.api.Test;

class BulkTest {
  private static JsonNode answer(String item) {
    try {
      return new ObjectMapper().readTree("{\"errors\":true,\"items\":[" + item + "]}");
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldCountAConflictAndADeleteOfNothingAsDone() {
    assertThatCode(() -> BulkAnswer
        .check(answer("{\"index\":{\"_id\":\"1\",\"status\":409,\"error\":{\"reason\":\"version conflict\"}}}"), "x"))
        .doesNotThrowAnyException();
    assertThatCode(() -> BulkAnswer.check(answer("{\"delete\":{\"_id\":\"1\",\"status\":404}}"), "x"))
        .doesNotThrowAnyException();
  }

  @Test
  void shouldTryAgainWhatIsOverloaded_andRefuseWhatTheIndexCannotHold() {
    assertThatThrownBy(() -> BulkAnswer
        .check(answer("{\"index\":{\"_id\":\"1\",\"status\":429,\"error\":{\"reason\":\"full\"}}}"), "x"))
        .isInstanceOfSatisfying(TargetException.class, e -> assertThat(e.isRetryable()).isTrue());
    assertThatThrownBy(
        () -> BulkAnswer.check(answer("{\"index\":{\"_id\":\"7\",\"status\":400,\"error\":{\"reason\":\"no\"}}}"), "x"))
        .isInstanceOfSatisfying(TargetException.class, e -> assertThat(e.isRetryable()).isFalse())
        .hasMessage("x refuses the document 7 with 400: no; change the index template or leave the table out");
  }

  @Test
  void shouldHashAnIdThatIsTooLong() {
    String longKey = "{\"id\":\"" + "x".repeat(600) + "\"}";
    assertThat(BulkLines.id(new TargetRow(longKey.getBytes(UTF_8), null, 1))).matches("sha256:[0-9a-f]{64}");
  }
}
