package dev.rowlog.connector.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CopyTextTest {
  private final CopyText text = new CopyText();

  @Test
  void shouldSplitAtTabsAndTellNullFromEmptyAndFromItsOwnEscape() {
    assertThat(split("1\t\\N\t\t\\\\N\tN\n", 5)).containsExactly("1", null, "", "\\N", "N");
  }

  @Test
  void shouldTakeBackEveryEscape() {
    assertThat(split("\\b\\f\\n\\r\\t\\v\\\\\n", 1)).containsExactly("\b\f\n\r\t\u000B\\");
  }

  @Test
  void shouldKeepTextBeyondAsciiWithAndWithoutEscapes() {
    assertThat(split("žluťoučký 😀\ta\\tš\n", 2)).containsExactly("žluťoučký 😀", "a\tš");
  }

  @Test
  void shouldGrowForALongEscapedColumn() {
    // Given
    String tabs = "\\t".repeat(1000);

    // Then
    assertThat(split("x\t" + tabs + "\n", 2)).containsExactly("x", "\t".repeat(1000));
  }

  @Test
  void shouldRefuseAnotherNumberOfColumns() {
    assertThatThrownBy(() -> split("1\t2\n", 3)).hasMessage("COPY gave 2 columns, expected 3");
    assertThatThrownBy(() -> split("1\t2\n", 1)).hasMessage("COPY gave more than 1 columns");
  }

  @Test
  void shouldRefuseAnEscapeThatCopyDoesNotWrite() {
    assertThatThrownBy(() -> split("\\x41\n", 1)).hasMessageContaining("unknown escape \\x");
  }

  private String[] split(String line, int columns) {
    String[] values = new String[columns];
    text.split(line.getBytes(StandardCharsets.UTF_8), values);
    return values;
  }
}
