package dev.rowlog.connector.replay.spi;

import java.util.Objects;

/**
 * Up to where one table's log is in a target.
 *
 * @param topicId of the log that was read
 * @param nextOffset exclusive end of what the target has
 * @param generation counts the table's buildings in this target, from 1
 * @param building true until the first time that everything up to a commit is there: until then nobody is shown it
 */
public record TablePosition(String topicId, long nextOffset, int generation, boolean building) {
  public TablePosition {
    Objects.requireNonNull(topicId, "topicId");
    if (nextOffset < 0 || generation < 1) {
      throw new IllegalArgumentException("offset " + nextOffset + ", generation " + generation);
    }
  }

  public TablePosition at(long offset) {
    return new TablePosition(topicId, offset, generation, building);
  }

  public TablePosition published() {
    return new TablePosition(topicId, nextOffset, generation, false);
  }
}
