package dev.rowlog.engine.cleaner;

/** What one pass does to the records below its end, added up as it goes. One thread. */
final class PassTally {
  private long recordsIn;
  private long recordsOut;
  private long bytesBefore;
  private long bytesAfter;
  private long tombstonesKept;
  private long tombstonesRemoved;
  private long recordsWithoutKey;
  private long highestRemovedTombstone = -1;

  /** A segment that stays, or is only copied. */
  void unchanged(SegmentPlan plan) {
    recordsIn += plan.records();
    recordsOut += plan.records();
    tombstonesKept += plan.tombstones;
  }

  /** A segment that is about to be thinned. */
  void changed(SegmentPlan plan) {
    recordsIn += plan.records();
    recordsWithoutKey += plan.recordsWithoutKey;
  }

  void kept(int records, int tombstones) {
    recordsOut += records;
    tombstonesKept += tombstones;
  }

  void removedTombstones(int count, long highestOffset) {
    tombstonesRemoved += count;
    highestRemovedTombstone = Math.max(highestRemovedTombstone, highestOffset);
  }

  void sizes(long before, long after) {
    bytesBefore += before;
    bytesAfter += after;
  }

  long recordsIn() {
    return recordsIn;
  }

  long recordsOut() {
    return recordsOut;
  }

  long bytesBefore() {
    return bytesBefore;
  }

  long bytesAfter() {
    return bytesAfter;
  }

  long tombstonesKept() {
    return tombstonesKept;
  }

  long tombstonesRemoved() {
    return tombstonesRemoved;
  }

  long recordsWithoutKey() {
    return recordsWithoutKey;
  }

  /** Highest offset of a tombstone that goes because its horizon has come; -1 where none does. */
  long highestRemovedTombstone() {
    return highestRemovedTombstone;
  }
}
