package dev.rowlog.connector.capture.preflight;

import dev.rowlog.connector.change.TableId;
import java.util.Optional;

/**
 * Something that stands in the way.
 *
 * @param table the table that cannot be mirrored; null where nothing can
 * @param problem one sentence: what is wrong, where
 * @param cure what to do, SQL where there is any
 */
public record Finding(Kind kind, TableId table, String problem, String cure) {

  /** What it is about. */
  public enum Kind {
    UNREACHABLE,
    WRONG_PASSWORD,
    NO_DATABASE,
    SERVER_VERSION,
    STANDBY,
    ENCODING,
    ENUM_WITHOUT_LABELS,
    WAL_LEVEL,
    SLOTS_USED_UP,
    SENDERS_USED_UP,
    NO_REPLICATION_RIGHT,
    NAME,
    NO_TABLE,
    PUBLICATION,
    NOT_A_TABLE,
    NOT_PERMANENT,
    NO_SELECT_RIGHT,
    ROW_SECURITY,
    NO_KEY,
    TABLE_NAME,
    COLUMN_NAMES,
    GENERATED_COLUMN,
    SERVER_CAST,
    PUBLICATION_FILTER
  }

  /** Of the whole source: nothing can be captured before it is cured. */
  static Finding of(Kind kind, String problem, String cure) {
    return new Finding(kind, null, problem, cure);
  }

  /** The table that is refused while the others go on; empty where nothing can be captured. */
  public Optional<TableId> refusedTable() {
    return Optional.ofNullable(table);
  }

  /** One line for people. */
  @Override
  public String toString() {
    return problem + "; " + cure;
  }
}
