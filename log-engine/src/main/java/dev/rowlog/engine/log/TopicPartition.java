package dev.rowlog.engine.log;

import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name of a log; its folder is {@code <topic>-<partition>}, split at the last dash.
 */
public record TopicPartition(String topic, int partition) implements Comparable<TopicPartition> {
  private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  public TopicPartition {
    Objects.requireNonNull(topic, "topic");
    if (!LEGAL.matcher(topic).matches() || topic.equals(".") || topic.equals("..")) {
      throw new IllegalArgumentException(
          "not a topic name: '" + topic + "' (1 to 249 of a-z A-Z 0-9 . _ -, not . or ..)");
    }
    if (partition < 0) {
      throw new IllegalArgumentException("partition is negative: " + partition);
    }
  }

  /** Partition 0, the only one that a mirrored table has. */
  public static TopicPartition of(String topic) {
    return new TopicPartition(topic, 0);
  }

  /** Empty where the folder's name is not a log's. */
  public static Optional<TopicPartition> parseDirectoryName(String name) {
    int dash = name.lastIndexOf('-');
    if (dash <= 0 || !name.substring(dash + 1).matches("0|[1-9][0-9]{0,8}")) {
      return Optional.empty();
    }
    String topic = name.substring(0, dash);
    return LEGAL.matcher(topic).matches() && !topic.equals(".") && !topic.equals("..")
        ? Optional.of(new TopicPartition(topic, Integer.parseInt(name.substring(dash + 1))))
        : Optional.empty();
  }

  public String directoryName() {
    return topic + "-" + partition;
  }

  @Override
  public int compareTo(TopicPartition other) {
    int byTopic = topic.compareTo(other.topic);
    return byTopic != 0 ? byTopic : Integer.compare(partition, other.partition);
  }

  @Override
  public String toString() {
    return directoryName();
  }
}
