package dev.rowlog.connector.cli.topic;

import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.table.SchemaLog;
import dev.rowlog.engine.error.UnknownTopicException;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.NearestName;
import dev.rowlog.engine.replay.DirectoryReader;
import dev.rowlog.engine.replay.LogCursor;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Finds the log that a person means: a topic's name, a folder's such as {@code orders-3}, or a table's. */
public final class LogSelection {
  private LogSelection() {}

  /**
   * @param partition null for partition 0, or the one in the name
   * @throws UnknownTopicException with the nearest name
   */
  public static TopicPartition find(String name, Integer partition, DirectoryReader reader) {
    return find(name, partition, reader.partitions(), reader.root(), () -> tables(reader));
  }

  private static Map<TableId, String> tables(DirectoryReader reader) {
    if (!reader.partitions().contains(SchemaLog.LOG)) {
      return Map.of();
    }
    Map<TableId, String> topics = new TreeMap<>();
    try (LogCursor cursor = reader.cursor(SchemaLog.LOG, 0)) {
      SchemaLog.newest(cursor).forEach((table, version) -> topics.put(table, version.topic()));
    }
    return topics;
  }

  /**
   * @param partition null for partition 0, or the one in the name
   * @param tables topics of mirrored tables; asked for only where there is no topic of that name
   * @throws UnknownTopicException with the nearest name
   */
  static TopicPartition find(String name, Integer partition, List<TopicPartition> present, Path directory,
      Supplier<Map<TableId, String>> tables) {
    Optional<TopicPartition> byTopic = present.stream()
        .filter(log -> log.topic().equals(name) && log.partition() == (partition == null ? 0 : partition)).findFirst();
    if (byTopic.isPresent()) {
      return byTopic.get();
    }
    Optional<TopicPartition> byFolder = partition != null
        ? Optional.empty()
        : TopicPartition.parseDirectoryName(name).filter(present::contains);
    if (byFolder.isPresent()) {
      return byFolder.get();
    }
    Map<TableId, String> topics = tables.get();
    List<TopicPartition> byTable = topics.entrySet().stream().filter(table -> isNamed(table.getKey(), name))
        .map(table -> TopicPartition.of(table.getValue())).filter(present::contains).toList();
    if (byTable.size() == 1 && (partition == null || partition == 0)) {
      return byTable.get(0);
    }
    if (byTable.size() > 1) {
      throw new UnknownTopicException(
          name + " is the name of more than one table: name one of the topics "
              + String.join(", ", byTable.stream().map(TopicPartition::topic).toList()));
    }
    throw new UnknownTopicException(unknown(name, partition, present, topics, directory));
  }

  private static boolean isNamed(TableId table, String name) {
    return name.equals(table.toString()) || name.equals(table.unambiguous()) || name.equals(table.table());
  }

  private static String unknown(String name, Integer partition, List<TopicPartition> present,
      Map<TableId, String> tables, Path directory) {
    List<Integer> partitions = present.stream().filter(log -> log.topic().equals(name)).map(TopicPartition::partition)
        .sorted().toList();
    if (!partitions.isEmpty()) {
      return "topic " + name + " in " + directory + " has no partition " + (partition == null ? 0 : partition)
          + "; it has " + partitions
          + ": give --partition";
    }
    List<String> topics = present.stream().map(TopicPartition::topic).distinct().toList();
    List<String> names = Stream.concat(topics.stream(), tables.keySet().stream().map(TableId::unambiguous)).toList();
    String hint = NearestName.of(name, names)
        .map(near -> ": did you mean " + near + "?")
        .orElseGet(() -> topics.isEmpty() ? ": there is no log at all" : ": 'rowlog topic list' shows what is there");
    return "no topic " + name + " in " + directory + hint;
  }
}
