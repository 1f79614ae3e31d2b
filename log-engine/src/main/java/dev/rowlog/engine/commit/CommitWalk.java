package dev.rowlog.engine.commit;

import dev.rowlog.engine.log.TopicId;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.record.Record;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Follows the commits that come after a known one, record by record, and tells what each had committed. One thread.
 *
 * <p>Works only while commits are kept whole: a gap in the offsets means that older records went in favour of newer ones, so that
 * what a commit said can no longer be told.
 */
public final class CommitWalk {
  private final Path file;
  private final Map<TopicPartition, Long> ends;
  private final Map<TopicId, TopicPartition> names = new HashMap<>();
  private long commitOffset;
  private long nextOffset;

  /**
   * @param commitOffset of the commit that is known; its first record must be the first that is given
   * @param ends what it had committed
   * @param file for messages
   */
  public CommitWalk(long commitOffset, Map<TopicPartition, Long> ends, Path file) {
    this.commitOffset = commitOffset;
    this.nextOffset = commitOffset;
    this.ends = new HashMap<>(ends);
    this.file = file;
  }

  /** True where the record is the one that follows. */
  public boolean follows(long offset) {
    return offset == nextOffset;
  }

  /** True where the record begins a commit: what was taken before it is whole. */
  public static boolean beginsCommit(Record record) {
    return Arrays.equals(record.key(), CommitRecord.POSITION_KEY);
  }

  /** Takes the record that {@link #follows}. */
  public void take(Record record) {
    CommitRecord parsed = CommitRecord.parse(record, file);
    if (parsed instanceof CommitRecord.Position) {
      commitOffset = record.offset();
    } else if (parsed instanceof CommitRecord.End end) {
      names.put(end.id(), end.log());
      ends.put(end.log(), end.endOffset());
    } else if (parsed instanceof CommitRecord.Removed removed && names.containsKey(removed.id())) {
      ends.remove(names.get(removed.id()));
    }
    nextOffset = record.offset() + 1;
  }

  /** Offset of the first record of the commit that was taken last. */
  public long commitOffset() {
    return commitOffset;
  }

  /** Exclusive end of each log at that commit; a view that the next record changes. */
  public Map<TopicPartition, Long> ends() {
    return ends;
  }
}
