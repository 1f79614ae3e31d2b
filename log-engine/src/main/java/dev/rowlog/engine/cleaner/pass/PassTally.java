package dev.rowlog.engine.cleaner.pass;

/** What one pass does to the records below its end, added up as it goes. One thread. */
public final class PassTally {
  private long recordsIn;
  private long recordsOut;
  private long bytesBefore;
  private long bytesAfter;
  private long tombstonesKept;
  private long tombstonesRemoved;
  private long recordsWithoutKey;
  private long highestRemovedTombstone = -1;

  /** A segment that stays, or is only copied. */
  public void unchanged(SegmentPlan plan) {
    recordsIn += plan.records();
    recordsOut += plan.records();
    tombstonesKept += plan.tombstones;
  }

  /** A segment that is about to be thinned. */
  public void changed(SegmentPlan plan) {
    recordsIn += plan.records();
    recordsWithoutKey += plan.recordsWithoutKey;
  }

  public void kept(int records, int tombstones) {
    recordsOut += records;
    tombstonesKept += tombstones;
  }

  public void removedTombstones(int count, long highestOffset) {
    tombstonesRemoved += count;
    highestRemovedTombstone = Math.max(highestRemovedTombstone, highestOffset);
  }

  public void sizes(long before, long after) {
    bytesBefore += before;
    bytesAfter += after;
  }

  public long recordsIn() {
    return recordsIn;
  }

  public long recordsOut() {
    return recordsOut;
  }

  public long bytesBefore() {
    return bytesBefore;
  }

  public long bytesAfter() {
    return bytesAfter;
  }

  public long tombstonesKept() {
    return tombstonesKept;
  }

  public long tombstonesRemoved() {
    return tombstonesRemoved;
  }

  public long recordsWithoutKey() {
    return recordsWithoutKey;
  }

  /** Highest offset of a tombstone that goes because its horizon has come; -1 where none does. */
  public long highestRemovedTombstone() {
    return highestRemovedTombstone;
  }
}
