package dev.rowlog.engine.log.directory;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DurableTextFile;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.log.TopicPartition;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A text file of offsets by log, in Kafka's format: version 0, count, {@code topic partition offset} a line. Any
 * thread, one at a time.
 */
public final class OffsetCheckpoint {
  public static final String CLEANER_OFFSET = "cleaner-offset-checkpoint";
  public static final String RECOVERY_POINT = "recovery-point-offset-checkpoint";
  public static final String LOG_START = "log-start-offset-checkpoint";
  public static final String REPLICATION_OFFSET = "replication-offset-checkpoint";
  /** Ours: the highest removed tombstone of each log, written durably before the swap that removes it. */
  public static final String TOMBSTONE_HORIZON = "tombstone-horizon-checkpoint";

  static final List<String> NAMES = List.of(CLEANER_OFFSET, RECOVERY_POINT, LOG_START, REPLICATION_OFFSET,
      TOMBSTONE_HORIZON);

  private static final String VERSION = "0";

  private final Disk disk;
  private final Path file;

  public OffsetCheckpoint(Disk disk, Path directory, String fileName) {
    this.disk = disk;
    this.file = directory.resolve(fileName);
  }

  /**
   * Empty where the file is missing or empty.
   *
   * @throws CorruptLogException for another version, a wrong count or line
   */
  public synchronized Map<TopicPartition, Long> read() {
    if (!disk.exists(file)) {
      return Map.of();
    }
    List<String> lines = DurableTextFile.lines(disk, file);
    if (lines.isEmpty()) {
      return Map.of();
    }
    if (!lines.get(0).strip().equals(VERSION)) {
      throw corrupt("version '" + lines.get(0) + "', expected " + VERSION);
    }
    Map<TopicPartition, Long> offsets = new TreeMap<>();
    for (String line : lines.subList(Math.min(2, lines.size()), lines.size())) {
      readLine(line, offsets);
    }
    if (lines.size() < 2 || !lines.get(1).strip().equals(Integer.toString(lines.size() - 2))) {
      throw corrupt("expected as many entries as the second line says, found " + Math.max(0, lines.size() - 2));
    }
    return offsets;
  }

  private void readLine(String line, Map<TopicPartition, Long> offsets) {
    String[] words = line.strip().split("\\s+");
    try {
      if (words.length == 3) {
        offsets.put(new TopicPartition(words[0], Integer.parseInt(words[1])), Long.parseLong(words[2]));
        return;
      }
    } catch (IllegalArgumentException e) {
      throw new CorruptLogException(file, -1, malformed(line), e);
    }
    throw corrupt(malformed(line));
  }

  private static String malformed(String line) {
    return "line '" + line + "', expected 'topic partition offset'";
  }

  private CorruptLogException corrupt(String problem) {
    return new CorruptLogException(file, -1, problem);
  }

  /** Durable when it returns: temporary file, sync, rename, sync of the folder. */
  public synchronized void write(Map<TopicPartition, Long> offsets) {
    StringBuilder text = new StringBuilder(VERSION).append('\n').append(offsets.size()).append('\n');
    new TreeMap<>(offsets).forEach(
        (log, offset) -> text.append(log.topic()).append(' ').append(log.partition()).append(' ').append((long) offset)
            .append('\n'));
    DurableTextFile.write(disk, file, text.toString());
  }
}
