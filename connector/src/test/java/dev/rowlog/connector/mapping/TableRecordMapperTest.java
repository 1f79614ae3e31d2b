package dev.rowlog.connector.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.connector.catalog.ColumnType;
import dev.rowlog.connector.catalog.Columns;
import dev.rowlog.connector.catalog.TableSchema;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.Operation;
import dev.rowlog.connector.change.RowImage;
import dev.rowlog.connector.change.SourceEvent;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.engine.record.Record;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableRecordMapperTest {
  private static final TableId TABLE = new TableId("shop", "orders");
  private static final List<String> COLUMNS = List.of("id", "body");
  private static final List<String> KEY = List.of("id");

  private final TableRecordMapper mapper = new TableRecordMapper(new RowJson(new TableSchema(TABLE, 1,
      List.of(Columns.column("id", new ColumnType.Number(), "integer"),
          Columns.column("body", new ColumnType.Text(), "text")),
      KEY, 'd', 3)));

  private List<String> map(Operation operation, RowImage before, RowImage after) {
    return mapper.map(row(operation, before, after), LastValues.NONE).stream().map(TableRecordMapperTest::inShort)
        .toList();
  }

  private static SourceEvent.Row row(Operation operation, RowImage before, RowImage after) {
    return new SourceEvent.Row(TABLE, operation, before, after, new Lsn(0x16_B374D848L), 0x1_0000_0007L, 5,
        1_700_000_000_123_456L);
  }

  private static RowImage full(String... values) {
    return new RowImage(COLUMNS, values);
  }

  private static RowImage key(String id) {
    return new RowImage(KEY, new String[]{id});
  }

  private static String inShort(Record record) {
    String key = new String(record.key(), StandardCharsets.UTF_8);
    return record.isTombstone() ? key + " gone" : key + " " + new String(record.value(), StandardCharsets.UTF_8);
  }

  @Test
  void shouldMapInsertsAndUpdatesToTheRowAndDeletesToATombstone() {
    assertThat(map(Operation.INSERT, null, full("1", "a"))).containsExactly("{\"id\":1} {\"id\":1,\"body\":\"a\"}");
    assertThat(map(Operation.UPDATE, null, full("1", null))).containsExactly("{\"id\":1} {\"id\":1,\"body\":null}");
    assertThat(map(Operation.DELETE, key("1"), null)).containsExactly("{\"id\":1} gone");
    assertThat(map(Operation.DELETE, full("1", "a"), null)).containsExactly("{\"id\":1} gone");
  }

  @Test
  void shouldBuryTheOldKeyBeforeItWritesTheNewOne() {
    assertThat(map(Operation.UPDATE, key("1"), full("2", "a"))).containsExactly("{\"id\":1} gone",
        "{\"id\":2} {\"id\":2,\"body\":\"a\"}");
    assertThat(map(Operation.UPDATE, full("2", "a"), full("2", "b")))
        .containsExactly("{\"id\":2} {\"id\":2,\"body\":\"b\"}");
  }

  @Test
  void shouldTellWhereEachRecordComesFrom() {
    // When
    Record record = mapper.map(row(Operation.UPDATE, null, full("1", "a")), LastValues.NONE).get(0);

    // Then
    assertThat(record.timestamp()).isEqualTo(1_700_000_000_123L);
    assertThat(record.headers())
        .extracting(header -> header.key() + "=" + new String(header.value(), StandardCharsets.UTF_8))
        .containsExactly("__op=u", "__lsn=16/B374D848", "__txid=4294967303", "__order=5", "__schema=3");
  }

  @Test
  void shouldTakeUnchangedToastFromTheOldRowWhereThatHasIt() {
    assertThat(map(Operation.UPDATE, full("1", "large"), full("1", RowImage.UNCHANGED_TOAST)))
        .containsExactly("{\"id\":1} {\"id\":1,\"body\":\"large\"}");
    assertThat(map(Operation.UPDATE, key("1"), full(RowImage.UNCHANGED_TOAST, "b")))
        .containsExactly("{\"id\":1} {\"id\":1,\"body\":\"b\"}");
  }

  @Test
  void shouldTakeUnchangedToastFromTheLastRowOfTheOldKey() {
    LastValues last = key -> new String(key, StandardCharsets.UTF_8).equals("{\"id\":1}")
        ? "{\"id\":1,\"body\":\"large\"}".getBytes(StandardCharsets.UTF_8)
        : null;

    assertThat(mapper.map(row(Operation.UPDATE, null, full("1", RowImage.UNCHANGED_TOAST)), last))
        .extracting(TableRecordMapperTest::inShort).containsExactly("{\"id\":1} {\"id\":1,\"body\":\"large\"}");
    assertThat(mapper.map(row(Operation.UPDATE, key("1"), full("2", RowImage.UNCHANGED_TOAST)), last))
        .extracting(TableRecordMapperTest::inShort)
        .containsExactly("{\"id\":1} gone", "{\"id\":2} {\"id\":2,\"body\":\"large\"}");
  }

  @Test
  void shouldNeverWriteUnchangedToastThatNobodyKnows() {
    assertThatThrownBy(() -> map(Operation.UPDATE, null, full("7", RowImage.UNCHANGED_TOAST)))
        .isInstanceOf(MappingException.class)
        .hasMessageContaining("shop.orders").hasMessageContaining("column body").hasMessageContaining("{\"id\":7}")
        .hasMessageContaining("no last row");
  }
}
