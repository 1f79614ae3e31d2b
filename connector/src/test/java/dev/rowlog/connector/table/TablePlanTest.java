package dev.rowlog.connector.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.catalog.ColumnType;
import dev.rowlog.connector.catalog.Columns;
import dev.rowlog.connector.catalog.Relation;
import dev.rowlog.connector.catalog.TableSchema;
import dev.rowlog.connector.change.TableId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TablePlanTest {
  private static final TableId ORDERS = new TableId("public", "orders");
  private static final Relation RELATION = new Relation(
      new TableSchema(ORDERS, 16_400, List.of(Columns.column("id", new ColumnType.Number(), "integer")), List.of("id"),
          'd',
          1),
      'r', 'p', false, false, false, true, List.of(ORDERS));

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
    assertThat(resume(RELATION, Map.of(ORDERS, "no key"), Map.of()).newlyStopped()).containsEntry(ORDERS,
        "no key, then mirror it again from the start, with another data.dir and source.slot");
    assertThat(TablePlan.resume(List.of(RELATION), Map.of(), Set.of(ORDERS), Map.of(ORDERS, "it is another"), Map.of(),
        Map.of()).newlyStopped().get(ORDERS)).contains("it is another");
    assertThat(TablePlan.resume(List.of(), Map.of(), Set.of(ORDERS), Map.of(), Map.of(), Map.of())
        .newlyStopped().get(ORDERS)).contains("no longer there");
    assertThat(TablePlan.resume(List.of(RELATION), Map.of(), Set.of(ORDERS), Map.of(), Map.of(),
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
    TablePlan plan = TablePlan.resume(List.of(RELATION), Map.of(), Set.of(), Map.of(), Map.of(), Map.of());

    // Then
    assertThat(plan.mirrored()).isEmpty();
    assertThat(plan.refused().get(ORDERS)).contains("named after the first snapshot");
  }

  private static TablePlan resume(Relation relation, Map<TableId, String> refused, Map<TableId, String> stopped) {
    return TablePlan.resume(List.of(relation), refused, Set.of(ORDERS), Map.of(), stopped, Map.of());
  }
}
