package dev.rowlog.engine.log.directory;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DurableTextFile;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.log.TopicPartition;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A text file of offsets by log, in Kafka's format: version 0, count, {@code topic partition offset} a line. Any
 * thread, one at a time.
 */
public final class OffsetCheckpoint {
  private static final System.Logger LOGGER = System.getLogger(OffsetCheckpoint.class.getName());
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

  /**
   * Writes these entries over those that are there, as one step, so that two writers of different logs do not undo each
   * other; entries of other logs than the existing ones go. A file that cannot be read counts as empty. Durable when it
   * returns.
   *
   * @return what was written
   */
  public synchronized Map<TopicPartition, Long> put(
      Map<TopicPartition, Long> entries, Collection<TopicPartition> existing) {
    Map<TopicPartition, Long> offsets = new TreeMap<>(readLenient());
    offsets.keySet().retainAll(new HashSet<>(existing));
    offsets.putAll(entries);
    write(offsets);
    return offsets;
  }

  /** Forgets a log, as one step; a file that cannot be read counts as empty. Durable when it returns. */
  public synchronized void remove(TopicPartition log) {
    Map<TopicPartition, Long> offsets = new TreeMap<>(readLenient());
    if (offsets.remove(log) != null) {
      write(offsets);
    }
  }

  /**
   * Sets the offset of a log where it is larger than the one that is there, as one step. Durable when it returns.
   *
   * @throws CorruptLogException as {@link #read}: what the file says of other logs must not be lost
   */
  public synchronized void raise(TopicPartition log, long offset) {
    Map<TopicPartition, Long> offsets = new TreeMap<>(read());
    Long before = offsets.put(log, offset);
    if (before == null || before < offset) {
      write(offsets);
    }
  }

  /** As {@link #read}, but a file that cannot be read counts as empty, with a warning: more is scanned then. */
  public synchronized Map<TopicPartition, Long> readLenient() {
    try {
      return read();
    } catch (CorruptLogException e) {
      LOGGER.log(System.Logger.Level.WARNING, "ignored a checkpoint: {0}", e.getMessage());
      return Map.of();
    }
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
