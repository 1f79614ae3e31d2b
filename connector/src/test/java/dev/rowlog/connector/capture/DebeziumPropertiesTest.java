package dev.rowlog.connector.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rowlog.connector.change.TableId;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DebeziumPropertiesTest {

  @ParameterizedTest
  @CsvSource({"include.unknown.datatypes,exactness", "converters,exactness", "column.exclude.list,exactness",
      "transforms.x.type,exactness",
      "offset.storage,exactly-once", "offset.flush.interval.ms,exactly-once", "lsn.flush.mode,exactly-once",
      "errors.max.retries,when to start again", "snapshot.mode,without a gap", "rowlog.position.lsn,exactly-once",
      "provide.transaction.metadata,exactly-once", "slot.name,it is source.slot", "table.include.list,source.tables",
      "database.tcpKeepAlive,source.url",
      "errors.tolerance,when to start again", "poll.interval.ms,when to start again",
      "interval.handling.mode,exactness",
      "value.converter.schemas.enable,the engine itself", "post.processors.reselector.type,exactness",
      "connector.class,runs the engine itself"})
  void shouldRefuseAKeyThatWouldBreakAGuarantee(String key, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DebeziumProperties.requireAllowed(List.of("max.batch.size", key)))
        .withMessageContaining("source.debezium." + key + " is not passed through").withMessageContaining(reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"max.batch.size", "max.queue.size.in.bytes", "status.update.interval.ms",
      "driver.socketTimeout", "xmin.fetch.interval.ms", "connection.validation.timeout.ms"})
  void shouldPassTheOthersThrough(String key) {
    assertThatCode(() -> DebeziumProperties.requireAllowed(List.of(key))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"orders", "Or\"ders, $1 (\u00e4)", "a.b", "x;y:z|*\\E", "\ud83d\ude00"})
  void shouldWriteAPatternThatNamesOneTableAndSplitsNowhere(String name) {
    // When
    String pattern = DebeziumProperties.pattern(new TableId("shop", name));

    // Then
    assertThat("shop." + name).matches(Pattern.compile(pattern));
    assertThat("shop_" + name).doesNotMatch(Pattern.compile(pattern));
    assertThat(pattern).doesNotContain(",", ";", ":");
  }

  @Test
  void shouldNotTakeAWildcardInANameForOne() {
    assertThat("shop.anything").doesNotMatch(Pattern.compile(DebeziumProperties.pattern(new TableId("shop", ".*"))));
  }
}
