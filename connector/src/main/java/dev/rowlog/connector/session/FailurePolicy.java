package dev.rowlog.connector.session;

import dev.rowlog.connector.capture.preflight.Finding;
import dev.rowlog.connector.capture.slot.SlotRefusedException;
import dev.rowlog.connector.mirror.MirrorEnd;
import dev.rowlog.connector.mirror.SourceRefusedException;
import dev.rowlog.connector.options.SourceOptions;
import dev.rowlog.connector.text.OutOfMemory;
import dev.rowlog.engine.error.LogException;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Which failure ends the mirror, because waiting cures nothing, and with what sentence; after any other a new start
 * follows. Decided by exception type and PostgreSQL's SQLSTATE (manual, appendix A). Pure.
 */
record FailurePolicy(SourceOptions source) {
  private static final String UNDEFINED_OBJECT = "42704";
  private static final String NOT_IN_PREREQUISITE_STATE = "55000";
  private static final String UNDEFINED_FILE = "58P01";
  private static final String INSUFFICIENT_PRIVILEGE = "42501";
  /** Password or pg_hba.conf, the database's name, a right. */
  private static final Set<String> REFUSED = Set.of("28P01", "28000", "3D000", INSUFFICIENT_PRIVILEGE);

  /** What a preflight finds that passes by itself. */
  private static final Set<Finding.Kind> PASSING = EnumSet.of(
      Finding.Kind.UNREACHABLE, Finding.Kind.SLOTS_USED_UP, Finding.Kind.SENDERS_USED_UP);

  /** Debezium's own words where its publication is missing as it starts. */
  private static final String NO_PUBLICATION = "Publication autocreation is disabled";

  private static final String AGAIN = "; mirror again from the start, with another data.dir and source.slot";

  /** Empty where a new start may do better. */
  Optional<MirrorEnd> end(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError outOfMemory) {
        return Optional.of(new MirrorEnd(MirrorEnd.Kind.FAILED, OutOfMemory.sentence(outOfMemory)));
      }
      if (cause instanceof LogException) {
        return Optional.of(new MirrorEnd(MirrorEnd.Kind.FAILED, cause.getMessage()));
      }
      Optional<String> refusal = refusal(cause);
      if (refusal.isPresent()) {
        return Optional.of(new MirrorEnd(MirrorEnd.Kind.ENVIRONMENT, refusal.get()));
      }
    }
    return Optional.empty();
  }

  private Optional<String> refusal(Throwable cause) {
    boolean refused = cause instanceof SourceRefusedException
        || cause instanceof SlotRefusedException slot && slot.reason() != SlotRefusedException.Reason.ACTIVE
        || cause instanceof SourceTables.PreflightFailedException preflight && !PASSING.contains(preflight.kind());
    if (refused) {
      return Optional.of(cause.getMessage());
    }
    if (cause instanceof SQLException sql && sql.getSQLState() != null) {
      return refusal(sql);
    }
    return String.valueOf(cause.getMessage()).contains(NO_PUBLICATION)
        ? Optional.of(publicationGone())
        : Optional.empty();
  }

  private Optional<String> refusal(SQLException e) {
    String state = e.getSQLState();
    String said = String.valueOf(e.getMessage());
    if (REFUSED.contains(state)) {
      return Optional.of(SourceErrors.sentence(source.address(), e));
    }
    // Servers answer in many languages, with the name in it; "slot" is said in most of them.
    boolean aboutSlot = said.contains(source.slot()) && said.contains("slot");
    if (state.equals(UNDEFINED_OBJECT) && aboutSlot || state.equals(UNDEFINED_FILE)
        || state.equals(NOT_IN_PREREQUISITE_STATE) && (aboutSlot || said.contains("wal_level"))) {
      return Optional.of(source.address() + ": replication slot " + source.slot()
          + " cannot be read any more, so that changes are lost to us (" + oneLine(said) + ")" + AGAIN);
    }
    return state.equals(UNDEFINED_OBJECT) && said.contains(source.publication())
        ? Optional.of(publicationGone())
        : Optional.empty();
  }

  private String publicationGone() {
    return source.address() + ": publication " + source.publication()
        + " was dropped or renamed, and the server cannot decode what was changed since; let an administrator make it"
        + " with the SQL of 'rowlog init', and" + AGAIN.substring(1);
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
