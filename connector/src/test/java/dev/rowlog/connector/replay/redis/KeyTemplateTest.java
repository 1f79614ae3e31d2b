package dev.rowlog.connector.replay.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.replay.spi.ReplayColumn;
import dev.rowlog.connector.replay.spi.ReplayTable;
import dev.rowlog.connector.replay.spi.TargetRow;
import dev.rowlog.engine.log.TopicPartition;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyTemplateTest {
  private static final ReplayTable TABLE = new ReplayTable(new TableId("shop", "a:b"), TopicPartition.of("t.shop.ab"),
      "id",
      List.of(new ReplayColumn("x", "numeric", false), new ReplayColumn("y", "text", false)), List.of("x", "y"));

  private static String key(String template, String json) {
    return KeyTemplate.of(template).keysOf(TABLE, 3).of(new TargetRow(json.getBytes(UTF_8), null, 0));
  }

  @Test
  void shouldFillInTableAndKey_everyDigitKept_everyColonEscaped() {
    assertThat(key(KeyTemplate.DEFAULT, "{\"x\":12345678901234567890.10,\"y\":\"1:2%\\u00e9\"}"))
        .isEqualTo("shop.a%3Ab:12345678901234567890.10:1%3A2%25\u00e9");
    assertThat(key("v{generation}/{topic}/{y}:{x}!", "{\"x\":1,\"y\":\"b\"}")).isEqualTo("v3/t.shop.ab/b:1!");
  }

  @Test
  void shouldNeverGiveTwoRowsOneKey() {
    assertThat(key("{key}", "{\"x\":1,\"y\":\"2:3\"}")).isNotEqualTo(key("{key}", "{\"x\":1,\"y\":\"2%3A3\"}"));
    assertThatThrownBy(() -> key("{table}:{x}", "{}")).hasMessageContaining("does not tell the rows of shop.a:b apart");
    assertThatThrownBy(() -> key("{x}-{y}", "{}")).hasMessageContaining("put a ':' between the columns");
    assertThatThrownBy(() -> key("{z}", "{}")).hasMessageContaining("has no key column 'z'");
  }
}
