package dev.rowlog.engine.error;

/** A configuration key that does not exist, or a value outside its range. */
public final class InvalidConfigException extends LogException {
  private final String key;

  public InvalidConfigException(String key, String problem) {
    super(key + ": " + problem, null);
    this.key = key;
  }

  public String key() {
    return key;
  }
}
