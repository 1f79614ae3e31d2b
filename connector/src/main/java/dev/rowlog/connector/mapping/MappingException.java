package dev.rowlog.connector.mapping;

import dev.rowlog.connector.change.TableId;

/** A row that cannot be mapped exactly: its table stops, nothing wrong is written. */
public final class MappingException extends RuntimeException {
  private final transient TableId table;
  private final String problem;

  public MappingException(TableId table, String problem) {
    super(table + ": " + problem);
    this.table = table;
    this.problem = problem;
  }

  public TableId table() {
    return table;
  }

  /** The message without the table. */
  public String problem() {
    return problem;
  }
}
