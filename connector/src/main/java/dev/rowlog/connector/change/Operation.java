package dev.rowlog.connector.change;

/** What was done to a row; the code is Debezium's and goes into the record's {@code __op} header. */
public enum Operation {
  SNAPSHOT("r"),
  INSERT("c"),
  UPDATE("u"),
  DELETE("d"),
  TRUNCATE("t");

  private final String code;

  Operation(String code) {
    this.code = code;
  }

  public String code() {
    return code;
  }
}
