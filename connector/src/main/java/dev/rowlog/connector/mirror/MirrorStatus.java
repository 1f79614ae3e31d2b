package dev.rowlog.connector.mirror;

import dev.rowlog.connector.change.Lsn;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * A running mirror at one moment. Holds no secret.
 *
 * @param stateSince when {@code state} was entered
 * @param startedAt when the process opened its data directory
 * @param database name of the source database
 * @param systemIdentifier of the source cluster; null before it was first reached
 * @param timeline 0 before it was first reached
 * @param committedLsn everything that the source committed up to here is in the logs; null before the first snapshot
 *     is complete
 * @param lag time since the last heartbeat of ours came round through the logs; null before the first
 * @param restarts new starts of the capture since the process began
 * @param lastError newest failure in one sentence; null where there was none
 * @param lastErrorAt null where there was none
 * @param tables every configured table, sorted
 */
public record MirrorStatus(
    MirrorState state,
    Instant stateSince,
    Instant startedAt,
    String database,
    String systemIdentifier,
    int timeline,
    String slot,
    String publication,
    Lsn committedLsn,
    Instant lastCommitTime,
    Duration lag,
    int restarts,
    String lastError,
    Instant lastErrorAt,
    List<TableStatus> tables) {
  public MirrorStatus {
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(stateSince, "stateSince");
    tables = List.copyOf(tables);
  }

  /** Tables that are left out, with their reasons. */
  public List<TableStatus> refused() {
    return tables.stream()
        .filter(table -> table.state() == TableState.REFUSED || table.state() == TableState.STOPPED)
        .toList();
  }
}
