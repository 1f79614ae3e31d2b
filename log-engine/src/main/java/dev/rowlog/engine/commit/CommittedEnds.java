package dev.rowlog.engine.commit;

import dev.rowlog.engine.log.TopicPartition;
import java.util.Map;
import java.util.Optional;

/**
 * The state that the last commit published: the end of every governed log and the source position. Immutable; readers take one and keep it.
 */
public final class CommittedEnds {
  private final long commitOffset;
  private final Map<TopicPartition, Long> ends;
  private final byte[] position;

  /**
   * @param commitOffset offset in the commit log of the commit's first record; -1 before the first commit
   * @param ends exclusive end offset of each governed log
   * @param position the writer's own bytes; null before the first commit
   */
  public CommittedEnds(long commitOffset, Map<TopicPartition, Long> ends, byte[] position) {
    this.commitOffset = commitOffset;
    this.ends = Map.copyOf(ends);
    this.position = position;
  }

  public long commitOffset() {
    return commitOffset;
  }

  /** Exclusive; 0 for a log that no commit has named. */
  public long end(TopicPartition log) {
    return ends.getOrDefault(log, 0L);
  }

  public Map<TopicPartition, Long> ends() {
    return ends;
  }

  /** The source position of the last commit, as the writer gave it. */
  public Optional<byte[]> position() {
    return Optional.ofNullable(position).map(byte[]::clone);
  }
}
