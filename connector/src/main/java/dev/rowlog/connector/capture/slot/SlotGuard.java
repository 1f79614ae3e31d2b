package dev.rowlog.connector.capture.slot;

import dev.rowlog.connector.capture.slot.SlotRefusedException.Reason;
import dev.rowlog.connector.catalog.SourceConnections;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.SourcePosition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Before each start: is this the slot that our last commit belongs to, and has nothing of it been read past that commit? Debezium's own check
 * lets a slot that was dropped and made again go on with a silent gap. Any thread.
 */
public final class SlotGuard {
  private static final String SLOT = """
      select s.plugin, s.slot_type, s.database, s.temporary, s.active_pid, s.wal_status, s.confirmed_flush_lsn, s.restart_lsn,
             a.application_name, a.client_addr, a.backend_start
        from pg_catalog.pg_replication_slots s
        left join pg_catalog.pg_stat_activity a on a.pid = s.active_pid
       where s.slot_name = ?""";

  private static final String NEW_SLOT = "; mirror it again with another data.dir and another source.slot, and drop this slot where it is left over";

  private final SourceConnections connections;

  public SlotGuard(SourceConnections connections) {
    this.connections = connections;
  }

  /**
   * @param position the last commit, with an LSN
   * @throws SlotRefusedException where the slot cannot go on from there
   */
  public void check(SourcePosition position) throws SQLException {
    try (Connection replication = connections.connectForReplication()) {
      checkIdentity(SourceIdentity.read(replication), position);
    }
    try (Connection connection = connections.connect();
        PreparedStatement statement = connection.prepareStatement(SLOT)) {
      statement.setString(1, position.slot());
      try (ResultSet slot = statement.executeQuery()) {
        if (!slot.next()) {
          throw new SlotRefusedException(Reason.MISSING,
              "replication slot " + position.slot() + " does not exist any more, so changes after "
                  + position.lsn() + " are lost to us" + NEW_SLOT);
        }
        checkSlot(slot, position);
      }
    }
  }

  private static void checkIdentity(SourceIdentity found, SourcePosition position) {
    if (!found.systemIdentifier().equals(position.systemIdentifier())) {
      throw new SlotRefusedException(Reason.OTHER_SYSTEM,
          "the server is another cluster (system identifier " + found.systemIdentifier()
              + ") than the one that was mirrored (" + position.systemIdentifier()
              + "); point source.url to that one, or use a new data.dir");
    }
    if (found.timeline() != position.timeline()) {
      throw new SlotRefusedException(Reason.OTHER_TIMELINE,
          "the server is on timeline " + found.timeline() + ", the mirror was on "
              + position.timeline() + ": after a failover or a restore its past may differ from what was mirrored"
              + NEW_SLOT);
    }
    if (!found.database().equals(position.database())) {
      throw new SlotRefusedException(Reason.NOT_OURS,
          "source.url names database " + found.database() + ", but the mirror is of "
              + position.database() + "; point source.url to that one, or use a new data.dir");
    }
  }

  private static void checkSlot(ResultSet slot, SourcePosition position) throws SQLException {
    String name = "replication slot " + position.slot();
    if (!"logical".equals(slot.getString("slot_type")) || !"pgoutput".equals(slot.getString("plugin"))
        || !position.database().equals(slot.getString("database")) || slot.getBoolean("temporary")) {
      throw new SlotRefusedException(Reason.NOT_OURS,
          name + " is a " + (slot.getBoolean("temporary") ? "temporary " : "")
              + slot.getString("slot_type") + " slot with plugin " + slot.getString("plugin") + " in database "
              + slot.getString("database")
              + ", expected a logical one with pgoutput in " + position.database()
              + "; choose another name with source.slot");
    }
    if ("lost".equals(slot.getString("wal_status")) || slot.getString("restart_lsn") == null) {
      throw new SlotRefusedException(Reason.LOST,
          name + " is lost: the server has removed write-ahead log that it needs"
              + " (max_slot_wal_keep_size, idle_replication_slot_timeout)" + NEW_SLOT);
    }
    String flushed = slot.getString("confirmed_flush_lsn");
    if (flushed != null && !Lsn.parse(flushed).isAtOrBelow(position.lsn())) {
      throw new SlotRefusedException(Reason.AHEAD, name + " stands at " + flushed + ", beyond our last commit at "
          + position.lsn()
          + ": it was made again, somebody else read from it, or data.dir was restored from a backup; changes between are lost to us"
          + NEW_SLOT);
    }
    int pid = slot.getInt("active_pid");
    if (!slot.wasNull()) {
      throw new SlotRefusedException(Reason.ACTIVE,
          name + " is in use by process " + pid + " of the server (application "
              + slot.getString("application_name") + ", from " + slot.getString("client_addr") + ", since "
              + slot.getString("backend_start")
              + "); stop that one, or choose another name with source.slot");
    }
  }
}
