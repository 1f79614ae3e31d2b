package dev.rowlog.connector.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.catalog.Column;
import dev.rowlog.connector.catalog.ColumnType;
import dev.rowlog.connector.catalog.Relation;
import dev.rowlog.connector.catalog.TableSchema;
import dev.rowlog.connector.change.TableId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TablePlanTest {
  private static final TableId ORDERS = new TableId("public", "orders");
  private static final Relation RELATION = relation(16_400, "integer", "d");
  private static final SchemaVersion STORED = version(RELATION, Map.of());

  @Test
  void shouldSnapshotWhatIsNotRefused() {
    assertThat(TablePlan.first(List.of(RELATION), Map.of()).mirrored()).containsExactly(RELATION);
    assertThat(TablePlan.first(List.of(RELATION), Map.of(ORDERS, "no key")).mirrored()).isEmpty();
  }

  @Test
  void shouldGoOnWithATableThatIsAsItWas() {
    // When
    TablePlan plan = resume(RELATION, Map.of(), Map.of());

    // Then
    assertThat(plan.mirrored()).containsExactly(RELATION);
    assertThat(plan.newlyStopped()).isEmpty();
  }

  @Test
  void shouldStopATableThatWasRefusedChangedRecreatedOrLeftOut() {
    assertThat(resume(RELATION, Map.of(ORDERS, "no key"), Map.of()).newlyStopped()).containsEntry(ORDERS, "no key");
    assertThat(resume(relation(16_400, "text", "d"), Map.of(), Map.of()).newlyStopped().get(ORDERS))
        .contains("had column id integer and has column id text in its place");
    assertThat(resume(relation(16_999, "integer", "d"), Map.of(), Map.of()).newlyStopped().get(ORDERS))
        .contains("created again");
    assertThat(TablePlan.resume(List.of(), Map.of(), Map.of(), Map.of(ORDERS, STORED), Map.of(), Map.of())
        .newlyStopped().get(ORDERS))
        .contains("no longer there");
    assertThat(TablePlan.resume(List.of(RELATION), Map.of(), Map.of(ORDERS, STORED), Map.of(ORDERS, STORED), Map.of(),
        Map.of(ORDERS, "corrupt")).newlyStopped()).containsEntry(ORDERS, "corrupt");
  }

  @Test
  void shouldNotStopATableTwiceNorLetItGoOn() {
    // When
    TablePlan plan = resume(RELATION, Map.of(), Map.of(ORDERS, "missed a change"));

    // Then
    assertThat(plan.mirrored()).isEmpty();
    assertThat(plan.newlyStopped()).isEmpty();
    assertThat(plan.stopped()).containsEntry(ORDERS, "missed a change");
  }

  @Test
  void shouldRefuseATableThatWasAddedLater() {
    // When
    TablePlan plan = TablePlan.resume(List.of(RELATION), Map.of(), Map.of(ORDERS, STORED), Map.of(), Map.of(),
        Map.of());

    // Then
    assertThat(plan.mirrored()).isEmpty();
    assertThat(plan.refused().get(ORDERS)).contains("named after the first snapshot");
  }

  @Test
  void shouldSeeARenamedEnumLabelButNotAnAddedOneNorAnotherReplicaIdentity() {
    // Given
    SchemaVersion before = version(RELATION, Map.of("id", List.of("new", "paid")));

    // Then
    assertThat(before.differenceTo(version(RELATION, Map.of("id", List.of("new", "paid", "sent"))))).isEmpty();
    assertThat(before.differenceTo(version(relation(16_400, "integer", "f"), Map.of("id", List.of("new", "paid")))))
        .isEmpty();
    assertThat(before.differenceTo(version(RELATION, Map.of("id", List.of("new", "payed")))).orElseThrow())
        .contains("label 'paid'").contains("renamed");
  }

  @Test
  void shouldComeBackFromItsRecord() {
    // When
    SchemaVersion parsed = SchemaVersion.parse(STORED.toRecord(5));

    // Then
    assertThat(parsed.json()).hasToString(STORED.json().toString());
    assertThat(parsed.topic()).isEqualTo("shop.public.orders");
  }

  private static TablePlan resume(Relation relation, Map<TableId, String> refused, Map<TableId, String> stopped) {
    return TablePlan.resume(List.of(relation), refused, Map.of(ORDERS, version(relation, Map.of())),
        Map.of(ORDERS, STORED), stopped,
        Map.of());
  }

  private static SchemaVersion version(Relation relation, Map<String, List<String>> labels) {
    return SchemaVersion.of(relation.schema(), new EnumLabels(labels), "shop.public.orders");
  }

  private static Relation relation(long oid, String type, String identity) {
    List<Column> columns = List.of(new Column("id", new ColumnType.Number(), type, true, (char) 0));
    TableSchema schema = new TableSchema(ORDERS, oid, columns, List.of("id"), identity.charAt(0), 1);
    return new Relation(schema, 'r', 'p', false, false, false, true, List.of(ORDERS));
  }
}
