package dev.rowlog.engine.log;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.segment.BatchScanner;
import dev.rowlog.engine.segment.Segment;
import dev.rowlog.engine.segment.SegmentFileName;
import dev.rowlog.engine.segment.SegmentFileName.Kind;
import dev.rowlog.engine.segment.SegmentFileName.State;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Swaps cleaned segments in for their sources: {@code .cleaned} → {@code .swap} → final, in an order that a crash at
 * any point leaves to one of "before" and "after"; and the other direction, what an opening does with each state that
 * it finds.
 *
 * <p>The renames and their order are Kafka's ({@code LocalLog.replaceSegments}, {@code LogLoader}), so that either
 * can finish what the other began. Kafka trusts the file system to keep their order. We do not: a plan, a file that
 * names sources and outputs, is made durable before the first rename and removed after the last. It is the commit
 * point: without it a crash leaves "before", with it any mixture of names can be brought to "after", whichever
 * renames a power loss has kept.
 *
 * @param sources closed segments, ascending, contiguous
 * @param cleaned their replacements in state {@code .cleaned}, ascending, already inactive and synced
 */
public record SegmentReplacement(List<Segment> sources, List<Segment> cleaned) {
  /**
   * Ours, in the log's folder: a line {@code source <base>} or {@code output <file name> <bytes>} each, below the
   * version.
   */
  static final String PLAN = "replacement-plan";

  private static final String VERSION = "0";
  private static final int SCAN_BYTES = 64 * 1024;

  public SegmentReplacement {
    sources = List.copyOf(sources);
    cleaned = List.copyOf(cleaned);
    if (sources.isEmpty()) {
      throw new IllegalArgumentException("no source to replace");
    }
  }

  /**
   * Makes the plan durable, after which the replacement happens, sooner or later. Before, a failure leaves
   * everything as it was.
   */
  void commit(Disk disk, Path directory) {
    List<SegmentFileName> names = names(disk, directory);
    Set<Long> outputs = baseOffsets(cleaned);
    StringBuilder plan = new StringBuilder(VERSION).append('\n');
    sources.forEach(source -> plan.append("source ").append(source.baseOffset()).append('\n'));
    for (SegmentFileName name : names) {
      if (name.state() == State.CLEANED && outputs.contains(name.baseOffset())) {
        long bytes = disk.size(directory.resolve(name.toString()));
        plan.append("output ").append(name.withState(State.FINAL)).append(' ').append(bytes).append('\n');
      } else if (name.state() == State.CLEANED) {
        // Left by an attempt that failed: an opening must not take it for a reason to undo this replacement.
        disk.delete(directory.resolve(name.toString()));
      }
    }
    // The plan promises files: their names must be there first.
    disk.syncDirectory(directory);
    DurableTextFile.write(disk, directory.resolve(PLAN), plan.toString());
  }

  /** Takes back a plan of which it is not known whether it is durable. */
  static void withdraw(Disk disk, Path directory) {
    disk.deleteIfExists(directory.resolve(PLAN));
    disk.syncDirectory(directory);
  }

  /** Carries the plan out. Where the disk refuses, only an opening can finish it. */
  void complete(Disk disk, Path directory) {
    for (int i = cleaned.size() - 1; i >= 0; i--) {
      cleaned.get(i).rename(State.SWAP);
    }
    for (Segment source : sources) {
      source.rename(State.DELETED);
    }
    for (Segment output : cleaned) {
      output.rename(State.FINAL);
    }
    disk.syncDirectory(directory);
    // Durably, before the next cleaning: its unfinished .cleaned files must not be taken for those of this plan.
    withdraw(disk, directory);
  }

  private static Set<Long> baseOffsets(List<Segment> segments) {
    Set<Long> offsets = new HashSet<>();
    segments.forEach(segment -> offsets.add(segment.baseOffset()));
    return offsets;
  }

  /**
   * Brings the names of a folder in order: finishes or undoes a replacement, ours or Kafka's, and removes what was on
   * its way out.
   *
   * @return what was done, a sentence each
   */
  static List<String> recover(Disk disk, Path directory) {
    List<String> notes = new ArrayList<>();
    boolean isChanged = deleteAll(disk, directory, name -> name.state() == State.DELETED);
    Path plan = directory.resolve(PLAN);
    isChanged |= disk.deleteIfExists(DurableTextFile.temporary(plan));
    if (disk.exists(plan)) {
      notes.add(Plan.read(disk, plan).carryOut(disk, directory));
      // What was done is durable before the plan goes.
      disk.syncDirectory(directory);
      withdraw(disk, directory);
    }
    isChanged |= undoCleaned(disk, directory, notes);
    isChanged |= finishSwap(disk, directory, notes);
    isChanged |= deleteOrphans(disk, directory, notes);
    if (isChanged) {
      disk.syncDirectory(directory);
    }
    return notes;
  }

  /** True while a replacement is being carried out, or was when its process was killed. */
  public static boolean isUnderWay(Disk disk, Path directory, Collection<SegmentFileName> names) {
    return names.stream().anyMatch(name -> name.state() == State.SWAP) || disk.exists(directory.resolve(PLAN));
  }

  /**
   * The {@code .log} files that {@link #recover} would end with, for a reader that may not repair what a killed
   * process has left.
   *
   * @param names the segment files of the folder
   * @return as they are named now, ascending
   */
  public static List<SegmentFileName> readableLogs(Disk disk, Path directory, Collection<SegmentFileName> names) {
    NavigableMap<Long, SegmentFileName> readable = logs(names, State.FINAL);
    Path plan = directory.resolve(PLAN);
    if (disk.exists(plan)) {
      Plan.read(disk, plan).apply(disk, directory, names, readable);
    } else {
      applySwaps(disk, directory, names, readable);
    }
    return List.copyOf(readable.values());
  }

  private static NavigableMap<Long, SegmentFileName> logs(Collection<SegmentFileName> names, State state) {
    NavigableMap<Long, SegmentFileName> logs = new TreeMap<>();
    names.stream().filter(name -> name.kind() == Kind.LOG && name.state() == state)
        .forEach(name -> logs.put(name.baseOffset(), name));
    return logs;
  }

  /** Kafka's way, as {@link #undoCleaned} and {@link #finishSwap} go it. */
  private static void applySwaps(
      Disk disk, Path directory, Collection<SegmentFileName> names, NavigableMap<Long, SegmentFileName> readable) {
    NavigableMap<Long, SegmentFileName> cleaned = logs(names, State.CLEANED);
    NavigableMap<Long, SegmentFileName> swaps = logs(names, State.SWAP);
    if (!cleaned.isEmpty()) {
      swaps.tailMap(cleaned.firstKey(), true).clear();
    }
    if (!swaps.isEmpty()) {
      long end = swaps.values().stream().mapToLong(swap -> nextOffset(disk, directory, swap)).max().orElseThrow();
      readable.subMap(swaps.firstKey(), true, Math.max(end, swaps.firstKey()), false).clear();
      readable.putAll(swaps);
    }
  }

  /** A committed replacement as its file tells it. */
  private record Plan(Path file, Set<Long> sources, Map<SegmentFileName, Long> outputBytes) {

    static Plan read(Disk disk, Path file) {
      List<String> lines = DurableTextFile.lines(disk, file);
      if (lines.isEmpty() || !lines.get(0).equals(VERSION)) {
        throw new CorruptLogException(file, 0, "expected version " + VERSION + " on the first line");
      }
      Plan plan = new Plan(file, new TreeSet<>(), new LinkedHashMap<>());
      lines.subList(1, lines.size()).forEach(plan::readLine);
      return plan;
    }

    private void readLine(String line) {
      String[] words = line.split(" ");
      if (words.length == 2 && words[0].equals("source")) {
        sources.add(Long.parseLong(words[1]));
        return;
      }
      Optional<SegmentFileName> output = words.length == 3 && words[0].equals("output")
          ? SegmentFileName.parse(words[1])
          : Optional.empty();
      outputBytes.put(
          output.orElseThrow(
              () -> new CorruptLogException(file, -1, "line '" + line + "' is neither a source nor an output")),
          Long.parseLong(words[2]));
    }

    /** Every step may have happened already, in any order: each looks at what is there. */
    String carryOut(Disk disk, Path directory) {
      if (!isWhole(disk, directory)) {
        return withoutOutputs(disk, directory);
      }
      outputBytes.keySet().forEach(output -> moveToFinal(disk, directory, output));
      deleteAll(disk, directory, name -> sources.contains(name.baseOffset()) && name.state() == State.FINAL
          && !outputBytes.containsKey(name) && name.kind() != Kind.PRODUCER_SNAPSHOT);
      return "finished a replacement of segments by its plan";
    }

    /** As {@link #carryOut}, on the names alone. */
    void apply(
        Disk disk, Path directory, Collection<SegmentFileName> names, NavigableMap<Long, SegmentFileName> readable) {
      if (isWhole(disk, directory)) {
        readable.keySet().removeIf(base -> sources.contains(base) && !isOutput(base));
        for (State state : List.of(State.CLEANED, State.SWAP)) {
          logs(names, state).forEach((base, name) -> {
            if (isOutput(base)) {
              readable.put(base, name);
            }
          });
        }
      }
    }

    private boolean isOutput(long baseOffset) {
      return outputBytes.containsKey(new SegmentFileName(baseOffset, Kind.LOG, State.FINAL));
    }

    private boolean isWhole(Disk disk, Path directory) {
      return outputBytes.entrySet().stream()
          .filter(output -> output.getKey().kind() == Kind.LOG)
          .allMatch(output -> hasSize(disk, directory, output.getKey(), output.getValue()));
    }

    private static boolean hasSize(Disk disk, Path directory, SegmentFileName output, long bytes) {
      for (State state : List.of(State.CLEANED, State.SWAP, State.FINAL)) {
        Path file = directory.resolve(output.withState(state).toString());
        if (disk.exists(file)) {
          return disk.size(file) == bytes;
        }
      }
      return false;
    }

    /** A plan whose writing had failed, so that its outputs were given up: its sources are all there. */
    private String withoutOutputs(Disk disk, Path directory) {
      for (long source : sources) {
        Path log = directory.resolve(new SegmentFileName(source, Kind.LOG, State.FINAL).toString());
        if (!disk.exists(log)) {
          throw new CorruptLogException(
              file, -1, "neither all outputs nor all sources of this replacement are there: missing is " + log
                  + "; restore the log's files");
        }
      }
      return "ignored the plan of a replacement that was given up";
    }

    private static void moveToFinal(Disk disk, Path directory, SegmentFileName output) {
      for (State state : List.of(State.CLEANED, State.SWAP)) {
        Path from = directory.resolve(output.withState(state).toString());
        if (disk.exists(from)) {
          disk.rename(from, directory.resolve(output.toString()));
        }
      }
    }
  }

  /**
   * A replacement that was not committed: its outputs go, those already renamed to {@code .swap} too (Kafka renames
   * downwards).
   */
  private static boolean undoCleaned(Disk disk, Path directory, List<String> notes) {
    List<SegmentFileName> cleaned = names(disk, directory, State.CLEANED);
    if (cleaned.isEmpty()) {
      return false;
    }
    long lowest = cleaned.stream().mapToLong(SegmentFileName::baseOffset).min().orElseThrow();
    notes.add("undid a cleaning that was not finished, from offset " + lowest + " on");
    // Swaps first: as long as one of them is there, the lowest .cleaned says that it does not count.
    deleteAll(disk, directory, name -> name.state() == State.SWAP && name.baseOffset() >= lowest);
    disk.syncDirectory(directory);
    return deleteAll(disk, directory, name -> name.state() == State.CLEANED);
  }

  /** A replacement that Kafka had committed: its sources go, its outputs get their final names. */
  private static boolean finishSwap(Disk disk, Path directory, List<String> notes) {
    List<SegmentFileName> swaps = names(disk, directory, State.SWAP);
    if (swaps.isEmpty()) {
      return false;
    }
    List<SegmentFileName> logs = swaps.stream().filter(name -> name.kind() == Kind.LOG).toList();
    if (!logs.isEmpty()) {
      long low = logs.stream().mapToLong(SegmentFileName::baseOffset).min().orElseThrow();
      long end = logs.stream().mapToLong(name -> nextOffset(disk, directory, name)).max().orElseThrow();
      notes.add("finished a replacement of segments from offset " + low + " to " + end);
      deleteAll(disk, directory,
          name -> name.state() == State.FINAL && name.baseOffset() >= low && name.baseOffset() < end);
      // The sources are gone for good before a name says that the outputs took their place.
      disk.syncDirectory(directory);
    }
    for (SegmentFileName swap : swaps) {
      disk.rename(directory.resolve(swap.toString()), directory.resolve(swap.withState(State.FINAL).toString()));
    }
    return true;
  }

  private static long nextOffset(Disk disk, Path directory, SegmentFileName log) {
    try (DiskFile file = disk.openForRead(directory.resolve(log.toString()))) {
      long nextOffset = log.baseOffset();
      BatchScanner scanner = new BatchScanner(file, 0, file.size(), SCAN_BYTES);
      while (scanner.next()) {
        scanner.batch().ensureValid(file.path(), scanner.position());
        nextOffset = scanner.batch().nextOffset();
      }
      return nextOffset;
    }
  }

  /** Index files whose {@code .log} is gone. */
  private static boolean deleteOrphans(Disk disk, Path directory, List<String> notes) {
    Set<Long> logs = new HashSet<>();
    List<SegmentFileName> finals = names(disk, directory, State.FINAL);
    finals.stream().filter(name -> name.kind() == Kind.LOG).forEach(name -> logs.add(name.baseOffset()));
    boolean isAny = deleteAll(disk, directory, name -> name.state() == State.FINAL && !logs.contains(name.baseOffset())
        && name.kind() != Kind.PRODUCER_SNAPSHOT);
    if (isAny) {
      notes.add("deleted index files without a .log");
    }
    return isAny;
  }

  /** What selects a file. */
  @FunctionalInterface
  private interface Selection {
    boolean takes(SegmentFileName name);
  }

  private static boolean deleteAll(Disk disk, Path directory, Selection selection) {
    boolean isAny = false;
    for (SegmentFileName name : names(disk, directory)) {
      if (selection.takes(name)) {
        disk.delete(directory.resolve(name.toString()));
        isAny = true;
      }
    }
    return isAny;
  }

  private static List<SegmentFileName> names(Disk disk, Path directory, State state) {
    return names(disk, directory).stream().filter(name -> name.state() == state).toList();
  }

  private static List<SegmentFileName> names(Disk disk, Path directory) {
    return disk.list(directory).stream().map(SegmentFileName::parse).flatMap(Optional::stream).toList();
  }
}
