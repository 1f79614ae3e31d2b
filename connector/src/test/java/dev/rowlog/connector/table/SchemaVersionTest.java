package dev.rowlog.connector.table;

import static dev.rowlog.connector.catalog.Columns.column;
import static dev.rowlog.connector.catalog.Columns.shape;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlog.connector.catalog.Column;
import dev.rowlog.connector.catalog.ColumnType;
import dev.rowlog.connector.catalog.StoredPart;
import dev.rowlog.connector.catalog.TableSchema;
import dev.rowlog.connector.catalog.TypeShape;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.TableId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SchemaVersionTest {
  private static final TableId TABLE = new TableId("public", "orders");
  private static final TableId LEAF = new TableId("public", "orders_1");
  private static final ColumnType TEXT = new ColumnType.Text();
  private static final Column ID = column("id", 1, new ColumnType.Number(), shape(23, "integer"));
  private static final StoredPart ITSELF = new StoredPart(TABLE, 16_400, 5, "", "1:700");
  private static final StoredPart PARTITION = new StoredPart(LEAF, 16_500, 6, "701", "1:700");

  @Test
  void shouldComeBackFromItsRecord() {
    SchemaVersion version = version(16_400, "entry", List.of(PARTITION), ID, of(mood("sad", "ok")));

    SchemaVersion parsed = SchemaVersion.parse(version.toRecord(5));

    assertThat(parsed.json()).hasToString(version.json().toString());
    assertThat(parsed.topic()).isEqualTo("shop.public.orders");
    assertThat(parsed.lsn()).isEqualTo(Lsn.parse("0/10"));
    assertThat(parsed.parts()).containsExactly(PARTITION);
    assertThat(parsed.isSameAs(version)).isTrue();
    assertThat(parsed.differenceTo(version)).isEmpty();
  }

  @Test
  void shouldSeeNothingWhereNoRowChanges() {
    SchemaVersion before = version(of(mood("sad", "ok")));

    assertThat(before.differenceTo(version(of(mood("sad", "soso", "ok"))))).isEmpty();
    assertThat(before.isSameAs(version(of(mood("sad", "soso", "ok"))))).isFalse();
  }

  @Test
  void shouldSeeWhatMakesAnotherTable() {
    SchemaVersion before = version(16_400, "entry", List.of(ITSELF), ID);

    assertThat(before.differenceTo(version(16_401, "entry", List.of(ITSELF), ID)).orElseThrow())
        .contains("created again");
    assertThat(before.differenceTo(version(16_400, "other entry", List.of(ITSELF), ID)).orElseThrow())
        .contains("publication");
    assertThat(before.differenceTo(
        version(16_400, "entry", List.of(ITSELF), column("id", 1, TEXT, shape(25, "text")))).orElseThrow())
        .contains("had column id integer and has column id text in its place");
    assertThat(before.differenceTo(
        version(16_400, "entry", List.of(ITSELF), column("id", 2, new ColumnType.Number(), shape(23, "integer"))))
        .orElseThrow()).contains("dropped and added again");
    assertThat(before.differenceTo(version(16_400, "entry", List.of(ITSELF), ID, of(mood()))).orElseThrow())
        .contains("had no column and has column c mood");
  }

  @Test
  void shouldSeeAPublicationThatWasAlteredAndPutBack_unlessItWasWrittenWithoutThatMark() {
    SchemaVersion before = version(16_400, "entry", "740 0", List.of(ITSELF), ID);
    SchemaVersion older = new SchemaVersion(TABLE, 1,
        ((ObjectNode) before.json().deepCopy()).without("publication_altered"));
    SchemaVersion now = version(16_400, "entry", "755 0", List.of(ITSELF), ID);

    assertThat(before.differenceTo(now).orElseThrow()).contains("ALTER PUBLICATION");
    assertThat(older.differenceTo(now)).isEmpty();
    assertThat(older.isSameAs(now)).isFalse();
  }

  @Test
  void shouldSeeWhatChangedInsideAType() {
    TypeShape inner = composite(List.of(new TypeShape.Attribute("m", 1, mood("sad")),
        new TypeShape.Attribute("n", 2, shape(23, "integer"))));
    SchemaVersion before = version(of(array(inner)));

    assertThat(before.differenceTo(version(of(array(composite(List.of(
        new TypeShape.Attribute("m", 1, mood("glad")), new TypeShape.Attribute("n", 2, shape(23, "integer"))))))))
        .orElseThrow()).contains("label 'sad' was renamed").contains("column c");
    assertThat(before.differenceTo(version(of(array(composite(List.of(
        new TypeShape.Attribute("mm", 1, mood("sad")), new TypeShape.Attribute("n", 2, shape(23, "integer"))))))))
        .orElseThrow()).contains("changed, m to mm, of the composite type pair");
    assertThat(before.differenceTo(version(of(array(composite(List.of(
        new TypeShape.Attribute("m", 1, mood("sad")), new TypeShape.Attribute("n", 3, shape(23, "integer"))))))))
        .orElseThrow()).contains("changed, n to n");
    assertThat(before.differenceTo(version(of(array(composite(List.of(
        new TypeShape.Attribute("m", 1, mood("sad")))))))).orElseThrow()).contains("dropped, n, from");
    assertThat(version(of(mood("sad"))).differenceTo(
        version(of(new TypeShape(9, "mood", 77, List.of("sad"), List.of(), List.of())))).orElseThrow())
        .contains("cast to json");
    assertThat(version(of(mood("sad"))).differenceTo(
        version(of(new TypeShape(10, "mood", 0, List.of("sad"), List.of(), List.of())))).orElseThrow())
        .contains("replaced");
  }

  @Test
  void shouldSeeWhatHappenedToTheStoredRows() {
    assertThat(StorageChange.between(List.of(ITSELF), List.of(file(ITSELF, 9))))
        .isEqualTo(new StorageChange(Optional.empty(), List.of(), List.of()));
    assertThat(broken(ITSELF, new StoredPart(TABLE, 16_400, 9, "", "1:800"))).contains("with other values");
    assertThat(StorageChange.between(List.of(ITSELF), List.of(new StoredPart(TABLE, 16_400, 5, "", "1:800"))).broken())
        .isEmpty();
    assertThat(broken(ITSELF, new StoredPart(TABLE, 16_400, 5, "900", "1:700"))).contains("attached to another");
    assertThat(StorageChange.between(List.of(PARTITION), List.of()).broken().orElseThrow())
        .contains("detached or dropped");
    assertThat(broken(PARTITION, new StoredPart(LEAF, 16_500, 6, "702", "1:700"))).contains("attached again");
    assertThat(StorageChange.between(List.of(PARTITION), List.of(file(PARTITION, 8))).emptied())
        .containsExactly(file(PARTITION, 8));
    assertThat(StorageChange.between(List.of(), List.of(PARTITION)).added()).containsExactly(PARTITION);
  }

  private static String broken(StoredPart before, StoredPart after) {
    return StorageChange.between(List.of(before), List.of(after)).broken().orElseThrow();
  }

  private static StoredPart file(StoredPart part, long file) {
    return new StoredPart(part.id(), part.oid(), file, part.attached(), part.columns());
  }

  private static TypeShape mood(String... labels) {
    return new TypeShape(9, "mood", 0, List.of(labels), List.of(), List.of());
  }

  private static TypeShape composite(List<TypeShape.Attribute> attributes) {
    return new TypeShape(11, "pair", 0, List.of(), attributes, List.of());
  }

  private static TypeShape array(TypeShape element) {
    return new TypeShape(12, "pair[]", 0, List.of(), List.of(), List.of(element));
  }

  private static Column of(TypeShape shape) {
    return column("c", 2, TEXT, shape);
  }

  private static SchemaVersion version(Column column) {
    return version(16_400, "entry", List.of(ITSELF), ID, column);
  }

  private static SchemaVersion version(long oid, String publication, List<StoredPart> parts, Column... columns) {
    return version(oid, publication, "740 0", parts, columns);
  }

  private static SchemaVersion version(long oid, String publication, String alteration, List<StoredPart> parts,
      Column... columns) {
    TableSchema schema = new TableSchema(TABLE, oid, List.of(columns), List.of("id"), 'd', 1);
    return SchemaVersion.of(schema,
        new SchemaVersion.Context("shop.public.orders", Lsn.parse("0/10"), 700, publication, alteration, parts));
  }
}
