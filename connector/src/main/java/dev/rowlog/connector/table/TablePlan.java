package dev.rowlog.connector.table;

import dev.rowlog.connector.catalog.Relation;
import dev.rowlog.connector.change.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What becomes of each table at a start. Pure.
 *
 * @param mirrored tables that go on, or are snapshotted
 * @param refused cannot be mirrored, and never were: reasons
 * @param stopped were mirrored, and missed changes before this start: reasons
 * @param newlyStopped were mirrored up to the last commit, and cannot be from here on: reasons, to be committed
 *     before the stream goes on
 */
public record TablePlan(
    List<Relation> mirrored,
    Map<TableId, String> refused,
    Map<TableId, String> stopped,
    Map<TableId, String> newlyStopped) {
  private static final String CURE = "; mirror it again from the start, with another data.dir and source.slot";

  public TablePlan {
    mirrored = List.copyOf(mirrored);
    refused = new TreeMap<>(refused);
    stopped = new TreeMap<>(stopped);
    newlyStopped = new TreeMap<>(newlyStopped);
  }

  /**
   * Before the first snapshot.
   *
   * @param relations all that were named
   * @param refused those among them, and others, that cannot be mirrored
   */
  public static TablePlan first(List<Relation> relations, Map<TableId, String> refused) {
    return new TablePlan(
        relations.stream().filter(relation -> !refused.containsKey(relation.id())).toList(), refused, Map.of(),
        Map.of());
  }

  /**
   * After it: only tables that missed nothing go on.
   *
   * @param known tables that have logs
   * @param breaches why the log of a table cannot be known to equal it any more
   * @param stoppedBefore as committed
   * @param failed tables whose logs cannot be used
   */
  public static TablePlan resume(
      List<Relation> relations,
      Map<TableId, String> refused,
      Set<TableId> known,
      Map<TableId, String> breaches,
      Map<TableId, String> stoppedBefore,
      Map<TableId, String> failed) {
    List<Relation> mirrored = new ArrayList<>();
    Map<TableId, String> stops = new TreeMap<>();
    Map<TableId, String> refusals = new TreeMap<>(refused);
    for (Relation relation : relations) {
      if (known.contains(relation.id()) || refused.containsKey(relation.id())
          || stoppedBefore.containsKey(relation.id())) {
        continue;
      }
      refusals.put(relation.id(),
          relation.id() + " was named after the first snapshot, and tables cannot be added yet" + CURE);
    }
    known.forEach(table -> {
      refusals.remove(table);
      if (stoppedBefore.containsKey(table)) {
        return;
      }
      Optional<Relation> relation = relations.stream().filter(candidate -> candidate.id().equals(table)).findFirst();
      Optional<String> reason = stopReason(table, relation, refused, breaches, failed);
      if (reason.isPresent()) {
        stops.put(table, reason.get());
      } else {
        mirrored.add(relation.orElseThrow());
      }
    });
    return new TablePlan(mirrored, refusals, stoppedBefore, stops);
  }

  private static Optional<String> stopReason(
      TableId table,
      Optional<Relation> relation,
      Map<TableId, String> refused,
      Map<TableId, String> breaches,
      Map<TableId, String> failed) {
    if (failed.containsKey(table)) {
      return Optional.of(failed.get(table));
    }
    if (refused.containsKey(table)) {
      // What stood in the way let changes pass: the cure alone brings them not back.
      return Optional.of(refused.get(table) + ", then" + CURE.substring(1));
    }
    if (relation.isEmpty()) {
      return Optional.of(table + " is no longer there, or no longer named in source.tables" + CURE);
    }
    return Optional.ofNullable(breaches.get(table))
        .map(difference -> table + " was changed since its rows were written: " + difference + CURE);
  }
}
