package dev.rowlog.connector.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rowlog.connector.change.TableId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TablePatternsTest {

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '\'', value = {"shop.orders|shop|orders|true",
      "shop.orders|shop|Orders|false",
      "shop.*|shop|orders|true", "shop.*|shop2|orders|false", "*.orders|a|orders|true", "shop.order?|shop|orders|true",
      "shop.order?|shop|order|false", "shop.*,!shop.audit|shop|audit|false", "!shop.audit, shop.*|shop|orders|true",
      "\"shop.a\".*|shop.a|x|true", "\"a*\".\"b?\"|a*|b?|true", "\"a*\".\"b?\"|ab|bc|false",
      "\"a\"\"b\".t|a\"b|t|true", "\"a,b\".t|a,b|t|true", "a+.t|aa|t|false", "a.t\\d|a|t1|false"})
  void shouldMatchAsTheCatalogSpells(String patterns, String schema, String table, boolean matches) {
    assertThat(TablePatterns.parse(patterns).matches(new TableId(schema, table))).isEqualTo(matches);
  }

  @Test
  void shouldListTablesThatHaveToExist() {
    assertThat(TablePatterns.parse("a.b, c.*, \"x.y\".z, d.e, !d.*").literals())
        .containsExactly(new TableId("a", "b"), new TableId("x.y", "z"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " , ", "!a.b", "orders", "a.", ".b", "a.b.c", "\"a.b"})
  void shouldRefuseWhatNamesNoTable(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> TablePatterns.parse(text));
  }
}
