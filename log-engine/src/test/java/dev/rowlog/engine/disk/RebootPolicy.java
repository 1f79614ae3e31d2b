package dev.rowlog.engine.disk;

/** What a reboot finds of the bytes and the names that were never synced. What was synced is always there. */
public enum RebootPolicy {
  /** Neither bytes nor names. */
  NOTHING(Kept.NONE, Kept.NONE),
  /** As if all had been synced: a killed process on a machine that lives on. */
  EVERYTHING(Kept.ALL, Kept.ALL),
  /** Files that appeared, moved or went, without the bytes: empty and short files. */
  ONLY_NAMES(Kept.NONE, Kept.ALL),
  /** Bytes of files whose creation, rename or deletion is forgotten. */
  ONLY_BYTES(Kept.ALL, Kept.NONE),
  /** A seeded number of the oldest changes of each file and folder; the last write is cut at a seeded byte. */
  PREFIX(Kept.PREFIX, Kept.PREFIX),
  /** Seeded sectors of 512 bytes, whatever their order (holes read as zeros), and seeded name changes. */
  SUBSET(Kept.SUBSET, Kept.SUBSET);

  enum Kept {
    NONE,
    ALL,
    PREFIX,
    SUBSET
  }

  private final Kept bytes;
  private final Kept names;

  RebootPolicy(Kept bytes, Kept names) {
    this.bytes = bytes;
    this.names = names;
  }

  Kept bytes() {
    return bytes;
  }

  Kept names() {
    return names;
  }

  /** True where the seed makes a difference. */
  public boolean isSeeded() {
    return this == PREFIX || this == SUBSET;
  }
}
