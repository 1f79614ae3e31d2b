package dev.rowlog.connector.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.connector.catalog.Column;
import dev.rowlog.connector.catalog.ColumnType;
import dev.rowlog.connector.catalog.Columns;
import dev.rowlog.connector.catalog.TableSchema;
import dev.rowlog.connector.change.RowImage;
import dev.rowlog.connector.change.TableId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowJsonTest {
  private static final TableSchema ORDERS = new TableSchema(new TableId("shop", "orders"), 1,
      List.of(column("note", new ColumnType.Text()), column("nr", new ColumnType.Number()),
          column("day \"x\"", new ColumnType.Date()),
          column("at", new ColumnType.Timestamptz()), column("amount", new ColumnType.Number())),
      List.of("day \"x\"", "nr", "note", "at", "amount"), 'd', 1);

  private final RowJson json = new RowJson(ORDERS);

  private static Column column(String name, ColumnType type) {
    return Columns.column(name, type, "some type");
  }

  private static RowImage row(List<String> columns, String... values) {
    return new RowImage(columns, values);
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }

  /** These bytes are the identity of rows in logs that exist: they never change. */
  @Test
  void shouldGiveAKeyTheSameBytesForEver() {
    // Given
    RowImage row = row(ORDERS.columnNames(), "a\"b\\c/\u00e4\u20ac\ud83d\ude00\u0001\n\u007f", "-7", "0044-03-15 BC",
        "2024-02-29 12:00:00.5+00",
        "NaN");

    // When
    String key = text(json.key(row));

    // Then
    assertThat(key).isEqualTo(
        "{\"day \\\"x\\\"\":\"0044-03-15 BC\",\"nr\":-7,\"note\":\"a\\\"b\\\\c/\u00e4\u20ac\ud83d\ude00\\u0001\\n\u007f\","
            + "\"at\":\"2024-02-29T12:00:00.5+00:00\",\"amount\":\"NaN\"}");
  }

  @Test
  void shouldNotDependOnTheOrderOfTheColumnsNorOnWhatElseIsThere() {
    // Given
    RowImage row = row(ORDERS.columnNames(), "n", "1", "2024-01-01", "infinity", "1.50");
    List<String> backwards = List.of("amount", "at", "extra", "day \"x\"", "nr", "note");

    // When
    byte[] key = json.key(row);
    byte[] same = json.key(row(backwards, "1.50", "infinity", "?", "2024-01-01", "1", "n"));

    // Then
    assertThat(same).isEqualTo(key);
    assertThat(text(json.value(row))).isEqualTo(
        "{\"note\":\"n\",\"nr\":1,\"day \\\"x\\\"\":\"2024-01-01\",\"at\":\"infinity\",\"amount\":1.50}");
  }

  @Test
  void shouldPrintNullWhereAValueIsNull() {
    // When
    byte[] value = json.value(row(ORDERS.columnNames(), null, null, null, null, null));

    // Then
    assertThat(text(value)).isEqualTo("{\"note\":null,\"nr\":null,\"day \\\"x\\\"\":null,\"at\":null,\"amount\":null}");
  }

  @Test
  void shouldReuseItsBufferAfterARowThatIsLargerThanWhatItKeeps() {
    // Given
    String large = "\u20ac".repeat(2_000_000);

    // When
    int size = json.value(row(ORDERS.columnNames(), large, "1", "2024-01-01", "infinity", "1")).length;
    byte[] small = json.value(row(ORDERS.columnNames(), "n", "1", "2024-01-01", "infinity", "1"));

    // Then
    assertThat(size).isGreaterThan(6_000_000);
    assertThat(text(small)).startsWith("{\"note\":\"n\",");
  }

  @Test
  void shouldRefuseAnUnchangedToastedValueThatNobodyKnows() {
    assertThatThrownBy(
        () -> json.value(row(ORDERS.columnNames(), RowImage.UNCHANGED_TOAST, "1", "2024-01-01", "infinity", "1")))
        .isInstanceOf(MappingException.class).hasMessageContaining("shop.orders").hasMessageContaining("column note")
        .hasMessageContaining("no last row");
  }

  @Test
  void shouldTakeATextThatLooksLikeTheMarkForWhatItIs() {
    // Given
    String lookalike = String.valueOf(RowImage.UNCHANGED_TOAST.toCharArray());

    // When
    String value = text(json.value(row(ORDERS.columnNames(), lookalike, "1", "2024-01-01", "infinity", "1")));

    // Then
    assertThat(value).contains("\"note\":\"\\u0000unchanged toast\"");
  }

  @Test
  void shouldRefuseRowsThatAreNotOfThisTable() {
    List<String> renamed = List.of("note", "nr", "day", "at", "amount");
    List<String> more = List.of("note", "nr", "day \"x\"", "at", "amount", "new");
    String[] values = {"n", "1", "2024-01-01", "infinity", "1"};

    assertThatThrownBy(() -> json.value(row(renamed, values))).isInstanceOf(MappingException.class)
        .hasMessageContaining("no column day \"x\"");
    assertThatThrownBy(() -> json.value(row(more, Arrays.copyOf(values, 6)))).isInstanceOf(MappingException.class)
        .hasMessageContaining("unknown column new");
    assertThatThrownBy(() -> json.key(row(ORDERS.columnNames(), null, "1", "2024-01-01", "infinity", "1")))
        .isInstanceOf(MappingException.class).hasMessageContaining("key column note is null");
    assertThatThrownBy(() -> json.key(row(ORDERS.columnNames(), "n", "1", "2024-01-01", "2024-02-29 12:00:00+02", "1")))
        .isInstanceOf(MappingException.class).hasMessageContaining("column at").hasMessageContaining("not pinned");
    assertThatThrownBy(() -> json.key(row(ORDERS.columnNames(), "half \ud83d", "1", "2024-01-01", "infinity", "1")))
        .isInstanceOf(MappingException.class).hasMessageContaining("surrogate");
  }
}
