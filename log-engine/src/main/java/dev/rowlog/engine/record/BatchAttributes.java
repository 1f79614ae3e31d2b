package dev.rowlog.engine.record;

/**
 * The 16 attribute bits of a batch: codec, timestamp type, transactional, control, delete horizon (KIP-534).
 */
public record BatchAttributes(short bits) {
  public static final int LOG_APPEND_TIME = 1 << 3;
  public static final int TRANSACTIONAL = 1 << 4;
  public static final int CONTROL = 1 << 5;
  public static final int DELETE_HORIZON = 1 << 6;

  public static BatchAttributes of(Compression compression) {
    return new BatchAttributes((short) compression.id());
  }

  public Compression compression() {
    return Compression.forId(bits & 7);
  }

  public boolean isLogAppendTime() {
    return (bits & LOG_APPEND_TIME) != 0;
  }

  public boolean isTransactional() {
    return (bits & TRANSACTIONAL) != 0;
  }

  public boolean isControl() {
    return (bits & CONTROL) != 0;
  }

  public boolean hasDeleteHorizon() {
    return (bits & DELETE_HORIZON) != 0;
  }

  public BatchAttributes withDeleteHorizon(boolean set) {
    return new BatchAttributes((short) (set ? bits | DELETE_HORIZON : bits & ~DELETE_HORIZON));
  }
}
