package dev.rowlog.connector.mapping;

import dev.rowlog.connector.change.TableId;
import dev.rowlog.engine.error.RecordTooLargeException;
import java.nio.charset.StandardCharsets;

/** A row that cannot be mapped exactly: its table stops, nothing wrong is written. */
public final class MappingException extends RuntimeException {
  /** Of a key in a message: it may be the one that is too large. */
  private static final int KEY_CHARACTERS = 200;

  private final transient TableId table;
  private final String problem;

  public MappingException(TableId table, String problem) {
    super(table + ": " + problem);
    this.table = table;
    this.problem = problem;
  }

  /** A row that no record can hold. */
  public static MappingException tooLarge(TableId table, byte[] key, RecordTooLargeException reason) {
    String text = new String(key, StandardCharsets.UTF_8);
    return new MappingException(table,
        "its row is too large for a record: " + reason.getMessage() + " (key "
            + (text.length() > KEY_CHARACTERS ? text.substring(0, KEY_CHARACTERS) + "…" : text)
            + "); make the row smaller and mirror the table again from the start, with another data.dir and source.slot, or"
            + " leave it out of source.tables");
  }

  public TableId table() {
    return table;
  }

  /** The message without the table. */
  public String problem() {
    return problem;
  }
}
