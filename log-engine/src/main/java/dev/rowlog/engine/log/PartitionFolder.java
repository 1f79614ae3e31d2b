package dev.rowlog.engine.log;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DurableTextFile;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.segment.SegmentFileName;
import dev.rowlog.engine.segment.SegmentFileName.Kind;
import dev.rowlog.engine.segment.SegmentFileName.State;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The folder of one log and its text files: {@code partition.metadata} and {@code leader-epoch-checkpoint} as Kafka
 * has them, {@code topic.properties} of our own. One writer.
 *
 * <p>A folder of ours is a log once {@code partition.metadata}, written last, is there; one of Kafka's once it holds
 * a {@code .log}.
 */
public record PartitionFolder(Disk disk, Path path, TopicPartition partition) {
  private static final String METADATA = "partition.metadata";
  private static final String LEADER_EPOCHS = "leader-epoch-checkpoint";
  private static final String CONFIG = "topic.properties";
  private static final String TOPIC_ID = "topic_id:";
  private static final int NO_EPOCH = -1;

  /** True where the folder is a log, false for what an interrupted creation has left. */
  public boolean isLog() {
    return disk.isDirectory(path)
        && (disk.exists(file(METADATA)) || !disk.exists(file(CONFIG)) && !baseOffsets().isEmpty());
  }

  /** Ours hold none of Kafka's. */
  public boolean mayHoldTransactions() {
    return !disk.exists(file(CONFIG));
  }

  private Path file(String name) {
    return path.resolve(name);
  }

  /** Of the {@code .log} files in their final names. */
  public TreeSet<Long> baseOffsets() {
    TreeSet<Long> offsets = new TreeSet<>();
    for (String name : disk.list(path)) {
      SegmentFileName.parse(name)
          .filter(parsed -> parsed.kind() == Kind.LOG && parsed.state() == State.FINAL)
          .ifPresent(parsed -> offsets.add(parsed.baseOffset()));
    }
    return offsets;
  }

  /**
   * The id that is there; one made of the log's name, always the same, where a folder of Kafka's has none.
   *
   * @throws CorruptLogException for a file without a readable id
   */
  public TopicId topicId() {
    Path file = file(METADATA);
    if (!disk.exists(file)) {
      return TopicId.ofName(partition);
    }
    for (String line : DurableTextFile.lines(disk, file)) {
      if (line.startsWith(TOPIC_ID)) {
        try {
          return TopicId.parse(line.substring(TOPIC_ID.length()).strip());
        } catch (IllegalArgumentException e) {
          throw new CorruptLogException(file, -1, e.getMessage(), e);
        }
      }
    }
    throw new CorruptLogException(file, -1, "expected a line '" + TOPIC_ID + " <id>'");
  }

  public void writeTopicId(TopicId id) {
    DurableTextFile.write(disk, file(METADATA), "version: 0\n" + TOPIC_ID + " " + id);
  }

  /** Epoch of new batches: the last one of a log that Kafka wrote, 0 for ours; -1 (none) where Kafka kept none. */
  public int leaderEpoch() {
    Path file = file(LEADER_EPOCHS);
    if (!disk.exists(file)) {
      return NO_EPOCH;
    }
    List<String> lines = DurableTextFile.lines(disk, file);
    if (lines.size() < 3) {
      return NO_EPOCH;
    }
    String last = lines.get(lines.size() - 1);
    try {
      return Integer.parseInt(last.strip().split("\\s+")[0]);
    } catch (NumberFormatException e) {
      throw new CorruptLogException(file, -1, "line '" + last + "', expected 'epoch startOffset'", e);
    }
  }

  public void writeFirstLeaderEpoch() {
    DurableTextFile.write(disk, file(LEADER_EPOCHS), "0\n1\n0 0\n");
  }

  /** The configuration that is kept there, or empty. */
  public Optional<LogConfig> config() {
    Path file = file(CONFIG);
    if (!disk.exists(file)) {
      return Optional.empty();
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (String line : DurableTextFile.lines(disk, file)) {
      int equals = line.indexOf('=');
      if (equals < 0) {
        throw new CorruptLogException(file, -1, "line '" + line + "', expected 'key=value'");
      }
      values.put(line.substring(0, equals), line.substring(equals + 1));
    }
    return Optional.of(LogConfig.defaults().with(values));
  }

  public void writeConfig(LogConfig config) {
    StringBuilder text = new StringBuilder();
    config.toMap().forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    DurableTextFile.write(disk, file(CONFIG), text.toString());
  }
}
