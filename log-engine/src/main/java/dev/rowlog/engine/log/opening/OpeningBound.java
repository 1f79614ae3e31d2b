package dev.rowlog.engine.log.opening;

/** Up to where a log must be whole when it is opened, and whether what lies beyond is cut (D6). */
public sealed interface OpeningBound {

  /** No commit log: the log ends where its valid batches end; a torn tail is cut after an unclean stop. */
  record LogEnd() implements OpeningBound {}

  /**
   * A log whose writer syncs each batch before the next: only its last batch can be torn. Bad bytes that a whole batch
   * follows are damage, and nothing is cut.
   */
  record SyncedBatches() implements OpeningBound {}

  /**
   * The last commit says where the log ends: what lies beyond is cut; what is missing below is corruption.
   *
   * @param endOffset exclusive
   */
  record Committed(long endOffset) implements OpeningBound {}
}
