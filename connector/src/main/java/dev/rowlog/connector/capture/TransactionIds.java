package dev.rowlog.connector.capture;

/**
 * Makes 64-bit transaction ids of the stream's 32 bits. A transaction is never further than 2^31 from the newest one (PostgreSQL manual 25.1.5), so
 * the nearest id with the same low half is the right one. One thread.
 */
final class TransactionIds {
  private long newest;

  /**
   * @param nextId the server's next transaction id, 64 bits (pg_snapshot_xmax(pg_current_snapshot()))
   */
  TransactionIds(long nextId) {
    this.newest = nextId;
  }

  /** The full id of a transaction of the stream. */
  long full(long low32Bits) {
    int distance = (int) low32Bits - (int) newest;
    long full = newest + distance;
    newest = Math.max(newest, full);
    return full;
  }
}
