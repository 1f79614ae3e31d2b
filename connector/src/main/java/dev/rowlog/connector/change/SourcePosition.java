package dev.rowlog.connector.change;

/**
 * Where the mirror stands in its source: what each commit stores beside the ends (D6). Encoded as one JSON object.
 *
 * @param systemIdentifier of the database cluster (pg_control_system)
 * @param timeline of the write-ahead log
 * @param database the database's name
 * @param slot name of the replication slot
 * @param phase how far the first snapshot is
 * @param lsn INTENT: null; SNAPSHOT: the slot's consistent point; STREAMING: end LSN of the last committed transaction, or of a later message
 * @param commitTimestampMicros commit time of the last committed transaction, microseconds since the epoch; 0 before the first
 */
public record SourcePosition(
    String systemIdentifier, int timeline, String database, String slot, Phase phase, Lsn lsn, long commitTimestampMicros) {

  /** What a restart has to do follows from this. */
  public enum Phase {
    /** The slot may or may not have been made: drop it, make it again. */
    INTENT,
    /** The slot is there, the first snapshot is not complete: start it again. */
    SNAPSHOT,
    /** The slot goes on from {@link SourcePosition#lsn}. */
    STREAMING
  }

  /** UTF-8 JSON. */
  public byte[] toBytes() {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * @throws IllegalArgumentException where the bytes are not a position
   */
  public static SourcePosition parse(byte[] json) {
    throw new UnsupportedOperationException("skeleton");
  }
}
