package dev.rowlog.connector.cli.topic;

import dev.rowlog.engine.error.UnknownTopicException;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.NearestName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Finds the log that a person means: a topic's name, or a folder's such as {@code orders-3}. Pure. */
public final class LogSelection {
  private LogSelection() {}

  /**
   * @param partition null for partition 0, or the one in the name
   * @throws UnknownTopicException with the nearest name
   */
  public static TopicPartition find(String name, Integer partition, List<TopicPartition> present, Path directory) {
    Optional<TopicPartition> byTopic = present.stream()
        .filter(log -> log.topic().equals(name) && log.partition() == (partition == null ? 0 : partition)).findFirst();
    if (byTopic.isPresent()) {
      return byTopic.get();
    }
    Optional<TopicPartition> byFolder = partition != null
        ? Optional.empty()
        : TopicPartition.parseDirectoryName(name).filter(present::contains);
    return byFolder.orElseThrow(() -> new UnknownTopicException(unknown(name, partition, present, directory)));
  }

  private static String unknown(String name, Integer partition, List<TopicPartition> present, Path directory) {
    List<Integer> partitions = present.stream().filter(log -> log.topic().equals(name)).map(TopicPartition::partition)
        .sorted().toList();
    if (!partitions.isEmpty()) {
      return "topic " + name + " in " + directory + " has no partition " + (partition == null ? 0 : partition)
          + "; it has " + partitions
          + ": give --partition";
    }
    List<String> topics = present.stream().map(TopicPartition::topic).distinct().toList();
    String hint = NearestName.of(name, topics)
        .map(near -> ": did you mean " + near + "?")
        .orElseGet(() -> topics.isEmpty() ? ": there is no log at all" : ": 'rowlog topic list' shows what is there");
    return "no topic " + name + " in " + directory + hint;
  }
}
