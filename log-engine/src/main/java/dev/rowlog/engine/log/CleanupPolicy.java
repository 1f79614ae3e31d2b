package dev.rowlog.engine.log;

/** {@code cleanup.policy}. */
public enum CleanupPolicy {
  DELETE(false, true),
  COMPACT(true, false),
  COMPACT_DELETE(true, true);

  private final boolean compact;
  private final boolean delete;

  CleanupPolicy(boolean compact, boolean delete) {
    this.compact = compact;
    this.delete = delete;
  }

  public boolean compacts() {
    return compact;
  }

  public boolean deletes() {
    return delete;
  }
}
