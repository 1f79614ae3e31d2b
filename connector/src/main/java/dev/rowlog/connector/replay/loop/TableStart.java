package dev.rowlog.connector.replay.loop;

import dev.rowlog.connector.replay.spi.ReplayTable;
import dev.rowlog.connector.replay.spi.TablePosition;
import java.util.Optional;

/** What becomes of a table when a replay starts: decided by what the target says and what the log still has. Pure. */
public sealed interface TableStart {

  /** Goes on where it stands. */
  record Resume(TablePosition from) implements TableStart {}

  /**
   * Starts at zero.
   *
   * @param reason why what is there cannot be kept; empty where nothing is there
   */
  record Build(TablePosition from, Optional<String> reason) implements TableStart {}

  /** Neither would be right. */
  record Refuse(String sentence) implements TableStart {}

  /**
   * What the log has.
   *
   * @param endOffset exclusive
   * @param tombstoneHorizon highest offset of a tombstone that was cleaned away; -1 for none
   */
  record LogFacts(String topicId, long endOffset, long tombstoneHorizon) {}

  /**
   * What the target can do.
   *
   * @param isEmpty nothing is there under the table's names
   * @param holdsStored what the position speaks of is there
   * @param rebuildsBeside it can build a table beside the one that is read
   * @param isAsked whoever started the replay wants it built again
   */
  record TargetFacts(boolean isEmpty, boolean holdsStored, boolean rebuildsBeside, boolean isAsked) {}

  static TableStart of(ReplayTable table, Optional<TablePosition> stored, LogFacts log, TargetFacts target,
      String describedTarget) {
    int next = stored.map(TablePosition::generation).orElse(0) + 1;
    TablePosition zero = new TablePosition(log.topicId(), 0, next, true);
    if (stored.isEmpty()) {
      return target.isEmpty()
          ? new Build(zero, Optional.empty())
          : startedOver(zero, target,
              "it holds " + table.id() + " already and no position of this replay, so that a start at"
                  + " zero would keep rows that are not in the table",
              describedTarget, target.isAsked());
    }
    if (!target.holdsStored()) {
      return new Build(zero, Optional.of("what was replayed there is gone"));
    }
    Optional<String> ghosts = ghosts(stored.get(), log, target.isAsked());
    return ghosts.isEmpty()
        ? new Resume(stored.get())
        : startedOver(zero, target, ghosts.get(), describedTarget, true);
  }

  /** Why going on would leave rows that are not in the table. */
  private static Optional<String> ghosts(TablePosition stored, LogFacts log, boolean isAsked) {
    if (!stored.topicId().equals(log.topicId())) {
      return Optional
          .of("the log was made anew since it was replayed there, so that going on would keep rows of the old one");
    }
    if (stored.nextOffset() > log.endOffset()) {
      return Optional.of("it has rows up to offset " + stored.nextOffset() + ", the log ends at " + log.endOffset()
          + ": the log is an older copy, so that going on would keep rows that are not in it");
    }
    if (stored.nextOffset() > 0 && log.tombstoneHorizon() >= stored.nextOffset()) {
      return Optional.of("it stands at offset " + stored.nextOffset() + ", and deletes up to offset "
          + log.tombstoneHorizon() + " have been cleaned away, so that going on would keep rows that were deleted");
    }
    return isAsked ? Optional.of("it was asked for") : Optional.empty();
  }

  private static TableStart startedOver(TablePosition zero, TargetFacts target, String reason, String describedTarget,
      boolean mayReplace) {
    return target.rebuildsBeside() && mayReplace
        ? new Build(zero, Optional.of(reason))
        : new Refuse(describedTarget + ": " + reason);
  }
}
