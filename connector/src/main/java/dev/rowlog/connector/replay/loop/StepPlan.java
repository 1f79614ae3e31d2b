package dev.rowlog.connector.replay.loop;

import dev.rowlog.connector.replay.spi.ReplayTable;
import dev.rowlog.connector.replay.spi.TargetPosition;
import dev.rowlog.engine.replay.CommitHistory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How far one step goes: to a commit, so that every table is there as of the same one. Pure but for reading the commit log.
 *
 * @param commitOffset of that commit
 * @param ends exclusive end of each table at it, by topic
 */
public record StepPlan(long commitOffset, Map<String, Long> ends) {

  /**
   * To the view's end where that is near, a table is being built, or the target stands between commits; else to the last commit within {@code maxRecords}, else to the next one, however far.
   *
   * <p>A commit is a place to stop only if no table was cleaned across it: a record may be gone in favour of one beyond the
   * commit.
   */
  static StepPlan next(ReplayView view, TargetPosition position, List<ReplayTable> tables, long maxRecords) {
    Map<String, Long> from = new HashMap<>();
    Map<String, Long> end = new HashMap<>();
    Map<String, Long> uncleaned = new HashMap<>();
    for (ReplayTable table : tables) {
      from.put(table.topic(), position.table(table).orElseThrow().nextOffset());
      end.put(table.topic(), view.endOffset(table));
    }
    StepPlan whole = new StepPlan(view.commitOffset(), end);
    boolean isBuilding = tables.stream().anyMatch(table -> position.table(table).orElseThrow().building());
    if (records(from, end) <= maxRecords || !position.whole() || isBuilding) {
      return whole;
    }
    tables.forEach(table -> uncleaned.put(table.topic(), view.firstUncleaned(table, from.get(table.topic()))));
    StepPlan farthest = null;
    try (CommitHistory history = view.history(position, tables)) {
      while (history.next()) {
        Map<String, Long> ends = new HashMap<>();
        tables.forEach(table -> ends.put(table.topic(), history.ends().getOrDefault(table.log(), 0L)));
        boolean isNear = records(from, ends) <= maxRecords;
        if (!isNear && farthest != null) {
          break;
        }
        if (isStop(from, ends, uncleaned)) {
          farthest = new StepPlan(history.commitOffset(), ends);
        }
      }
    }
    return farthest != null ? farthest : whole;
  }

  /** At most so many records lie between. */
  static long records(Map<String, Long> from, Map<String, Long> to) {
    return to.entrySet().stream().mapToLong(entry -> Math.max(0, entry.getValue() - from.get(entry.getKey()))).sum();
  }

  /** True where each table is left alone, or ends where nothing has been cleaned across. */
  static boolean isStop(Map<String, Long> from, Map<String, Long> ends, Map<String, Long> firstUncleaned) {
    return ends.entrySet().stream().allMatch(entry -> entry.getValue().equals(from.get(entry.getKey()))
        || entry.getValue() >= firstUncleaned.get(entry.getKey()));
  }
}
