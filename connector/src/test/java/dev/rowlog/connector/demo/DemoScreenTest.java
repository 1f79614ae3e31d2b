package dev.rowlog.connector.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.mirror.CommittedRecord;
import dev.rowlog.connector.mirror.CommittedTransaction;
import dev.rowlog.connector.mirror.RecordLine;
import dev.rowlog.engine.record.Record;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DemoScreenTest {
  private final ByteArrayOutputStream output = new ByteArrayOutputStream();

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"abcdef|6|abcdef", "abcdefg|6|abcd…g", "abcdefghij|7|abcd…ij",
      "äöüßabcd|4|äö…d"})
  void shouldCutTheMiddle(String text, int width, String cut) {
    assertThat(RecordLine.cutMiddle(text, width)).isEqualTo(cut).hasSizeLessThanOrEqualTo(width);
  }

  @ParameterizedTest
  @ValueSource(ints = {60, 80, 100})
  void shouldKeepEveryLineInsideTheTerminal(int columns) {
    // Given
    DemoScreen screen = new DemoScreen(new PrintStream(output, true, StandardCharsets.UTF_8), columns, false);
    byte[] key = "{\"id\":195}".getBytes(StandardCharsets.UTF_8);
    byte[] value = ("{\"id\":195,\"name\":\"" + "Avocado ".repeat(40) + "\",\"end\":7}")
        .getBytes(StandardCharsets.UTF_8);
    Record row = new Record(1318, 0, key, value, List.of());
    // When
    screen.tick("PostgreSQL 18.6", "a figure that is longer than the line has room for ".repeat(3), 123_400);
    screen.doing("reading ".repeat(30));
    screen.statement("UPDATE ".repeat(30));
    screen.records(new CommittedTransaction(1, new Lsn(1), 0, 1,
        List.of(new CommittedRecord(new TableId("public", "products"), "shop.public.products", row))));
    // Then
    List<String> lines = output.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(lines).hasSize(4).allMatch(line -> line.codePointCount(0, line.length()) < columns);
    assertThat(lines.get(0)).endsWith("123.4 s");
    assertThat(lines.get(3)).contains("@1318  {\"id\":195}  {").contains("…").endsWith("7}");
  }

  @ParameterizedTest
  @ValueSource(ints = {80, 100, 120})
  void shouldShowTheValueThatChanged_whereverItStands(int columns) {
    // Given
    DemoScreen screen = new DemoScreen(new PrintStream(output, true, StandardCharsets.UTF_8), columns, false);
    byte[] key = "{\"id\":195}".getBytes(StandardCharsets.UTF_8);
    for (String row : List.of(
        "{\"id\":195,\"name\":\"" + "Avocado ".repeat(40) + "\",\"price\":7.99,\"attributes\":{\"weight_g\": 1950}}",
        "{\"id\":195,\"name\":\"" + "Avocado ".repeat(40) + "\",\"price\":7.99}",
        "{\"price\":7.99,\"name\":\"" + "Avocado ".repeat(40) + "\"}")) {
      Record record = new Record(1318, 0, key, row.getBytes(StandardCharsets.UTF_8), List.of());
      // When
      screen.records(new CommittedTransaction(1, new Lsn(1), 0, 1,
          List.of(new CommittedRecord(new TableId("public", "products"), "shop.public.products", record))), "price");
    }
    // Then
    assertThat(output.toString(StandardCharsets.UTF_8).lines()).hasSize(3)
        .allMatch(line -> line.codePointCount(0, line.length()) < columns)
        .allMatch(line -> line.contains("\"price\":7.99") && line.contains("…") && line.endsWith("}"));
  }

  @Test
  void shouldSayWhatItDoesOnATerminalOnlyUntilItIsDone() {
    // Given
    DemoScreen screen = new DemoScreen(new PrintStream(output, true, StandardCharsets.UTF_8), 80, true);
    // When
    screen.glimpse("cleaning");
    screen.line("done");
    // Then
    assertThat(output.toString(StandardCharsets.UTF_8))
        .isEqualTo("… cleaning\r          \rdone" + System.lineSeparator());
  }
}
