package dev.rowlog.connector.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rowlog.connector.catalog.ColumnType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Malformed texts; what the server prints is tested against the server ({@link RowJsonIT}). */
class ValueJsonTest {
  private static final ColumnType NUMBERS = new ColumnType.Array(new ColumnType.Number(), ',');
  private static final ColumnType PAIR = new ColumnType.Composite(
      List.of(new ColumnType.Attribute("a", new ColumnType.Number()),
          new ColumnType.Attribute("b", new ColumnType.Text())));

  private static String json(ColumnType type, String text) {
    JsonBytes out = new JsonBytes();
    ValueJson.write(out, type, text);
    return new String(out.toByteArray(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-0", "10", "-1.50", "1e+20", "1E-5", "1.5e300"})
  void shouldPrintNumbersAsTheyAre(String number) {
    assertThat(json(new ColumnType.Number(), number)).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "Infinity", "-Infinity", "-", "01", "1.", ".5", "1e", "1e+", "0x1", "1 ", "+1", ""})
  void shouldQuoteWhatIsNoJsonNumber(String text) {
    assertThat(json(new ColumnType.Number(), text)).isEqualTo('"' + text + '"');
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '\'', value = {"{1,2}|[1,2]", "{}|[]",
      "{{1,NULL},{3,4}}|[[1,null],[3,4]]",
      "[0:1]={1,2}|[1,2]", "[0:0][-1:0]={{1,2}}|[[1,2]]", "{\"1\",2}|[1,2]"})
  void shouldPrintArraysByDimension(String text, String expected) {
    assertThat(json(NUMBERS, text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "{", "{1", "{1,2}}", "{\"1", "{{1}", "[0:1]", "{\"1\\"})
  void shouldRefuseWhatIsNoArray(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> json(NUMBERS, text))
        .withMessageContaining("not the text of an array");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "(1", "1,2)", "()", "(1,2,3)", "(1,\"2)", "(1)"})
  void shouldRefuseWhatIsNotThisComposite(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> json(PAIR, text))
        .withMessageContaining("not the text of a composite");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=>1", "\"a\"", "\"a\"=>", "\"a\"=>\"1", "\"a\"=>\"1\",\"b\"=>\"2\""})
  void shouldRefuseWhatIsNoHstore(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> json(new ColumnType.Hstore(), text))
        .withMessageContaining("not the text of an hstore");
  }

  @Test
  void shouldRefuseTextsOfOtherTypes() {
    assertThatIllegalArgumentException().isThrownBy(() -> json(new ColumnType.Bool(), "true"))
        .withMessageContaining("not a boolean");
    assertThatIllegalArgumentException().isThrownBy(() -> json(new ColumnType.ServerCast("public.mood"), "sad"))
        .withMessageContaining("public.mood");
  }
}
