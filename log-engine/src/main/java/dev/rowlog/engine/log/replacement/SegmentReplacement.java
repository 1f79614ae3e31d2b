package dev.rowlog.engine.log.replacement;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.disk.DurableTextFile;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;

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
  /** Name of the plan's file, ours, in the log's folder. */
  public static final String PLAN = "replacement-plan";

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
  public void commit(Disk disk, Path directory) {
    SegmentFolder folder = new SegmentFolder(disk, directory);
    Set<Long> outputs = baseOffsets(cleaned);
    Map<SegmentFileName, Long> outputBytes = new LinkedHashMap<>();
    for (SegmentFileName name : folder.names(State.CLEANED)) {
      if (outputs.contains(name.baseOffset())) {
        outputBytes.put(name.withState(State.FINAL), disk.size(folder.path(name)));
      } else {
        // Left by an attempt that failed: an opening must not take it for a reason to undo this replacement.
        disk.delete(folder.path(name));
      }
    }
    // The plan promises files: their names must be there first.
    disk.syncDirectory(directory);
    new ReplacementPlan(directory.resolve(PLAN), baseOffsets(sources), outputBytes).write(disk);
  }

  /** Takes back a plan of which it is not known whether it is durable. */
  public static void withdraw(Disk disk, Path directory) {
    disk.deleteIfExists(directory.resolve(PLAN));
    disk.syncDirectory(directory);
  }

  /** Carries the plan out. Where the disk refuses, only an opening can finish it. */
  public void complete(Disk disk, Path directory) {
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
    Set<Long> offsets = new LinkedHashSet<>();
    segments.forEach(segment -> offsets.add(segment.baseOffset()));
    return offsets;
  }

  /**
   * Brings the names of a folder in order: finishes or undoes a replacement, ours or Kafka's, and removes what was on
   * its way out.
   *
   * @return what was done, a sentence each
   */
  public static List<String> recover(Disk disk, Path directory) {
    List<String> notes = new ArrayList<>();
    SegmentFolder folder = new SegmentFolder(disk, directory);
    boolean isChanged = folder.deleteAll(name -> name.state() == State.DELETED);
    Path plan = directory.resolve(PLAN);
    isChanged |= disk.deleteIfExists(DurableTextFile.temporary(plan));
    if (disk.exists(plan)) {
      notes.add(ReplacementPlan.read(disk, plan).carryOut(folder));
      // What was done is durable before the plan goes.
      disk.syncDirectory(directory);
      withdraw(disk, directory);
    }
    isChanged |= undoCleaned(folder, notes);
    isChanged |= finishSwap(folder, notes);
    isChanged |= deleteOrphans(folder, notes);
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
    SegmentFolder folder = new SegmentFolder(disk, directory);
    NavigableMap<Long, SegmentFileName> readable = SegmentFolder.logs(names, State.FINAL);
    Path plan = directory.resolve(PLAN);
    if (disk.exists(plan)) {
      ReplacementPlan.read(disk, plan).apply(folder, names, readable);
    } else {
      applySwaps(folder, names, readable);
    }
    return List.copyOf(readable.values());
  }

  /** Kafka's way, as {@link #undoCleaned} and {@link #finishSwap} go it. */
  private static void applySwaps(
      SegmentFolder folder, Collection<SegmentFileName> names, NavigableMap<Long, SegmentFileName> readable) {
    NavigableMap<Long, SegmentFileName> cleaned = SegmentFolder.logs(names, State.CLEANED);
    NavigableMap<Long, SegmentFileName> swaps = SegmentFolder.logs(names, State.SWAP);
    if (!cleaned.isEmpty()) {
      swaps.tailMap(cleaned.firstKey(), true).clear();
    }
    if (!swaps.isEmpty()) {
      long end = swaps.values().stream().mapToLong(swap -> nextOffset(folder, swap)).max().orElseThrow();
      readable.subMap(swaps.firstKey(), true, Math.max(end, swaps.firstKey()), false).clear();
      readable.putAll(swaps);
    }
  }

  /**
   * A replacement that was not committed: its outputs go, those already renamed to {@code .swap} too (Kafka renames
   * downwards).
   */
  private static boolean undoCleaned(SegmentFolder folder, List<String> notes) {
    List<SegmentFileName> cleaned = folder.names(State.CLEANED);
    if (cleaned.isEmpty()) {
      return false;
    }
    long lowest = cleaned.stream().mapToLong(SegmentFileName::baseOffset).min().orElseThrow();
    notes.add("undid a cleaning that was not finished, from offset " + lowest + " on");
    // Swaps first: as long as one of them is there, the lowest .cleaned says that it does not count.
    folder.deleteAll(name -> name.state() == State.SWAP && name.baseOffset() >= lowest);
    folder.disk().syncDirectory(folder.path());
    return folder.deleteAll(name -> name.state() == State.CLEANED);
  }

  /** A replacement that Kafka had committed: its sources go, its outputs get their final names. */
  private static boolean finishSwap(SegmentFolder folder, List<String> notes) {
    List<SegmentFileName> swaps = folder.names(State.SWAP);
    if (swaps.isEmpty()) {
      return false;
    }
    List<SegmentFileName> logs = swaps.stream().filter(name -> name.kind() == Kind.LOG).toList();
    if (!logs.isEmpty()) {
      long low = logs.stream().mapToLong(SegmentFileName::baseOffset).min().orElseThrow();
      long end = logs.stream().mapToLong(name -> nextOffset(folder, name)).max().orElseThrow();
      notes.add("finished a replacement of segments from offset " + low + " to " + end);
      folder.deleteAll(
          name -> name.state() == State.FINAL && name.baseOffset() >= low && name.baseOffset() < end);
      // The sources are gone for good before a name says that the outputs took their place.
      folder.disk().syncDirectory(folder.path());
    }
    for (SegmentFileName swap : swaps) {
      folder.disk().rename(folder.path(swap), folder.path(swap.withState(State.FINAL)));
    }
    return true;
  }

  private static long nextOffset(SegmentFolder folder, SegmentFileName log) {
    try (DiskFile file = folder.disk().openForRead(folder.path(log))) {
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
  private static boolean deleteOrphans(SegmentFolder folder, List<String> notes) {
    Set<Long> logs = new HashSet<>();
    List<SegmentFileName> finals = folder.names(State.FINAL);
    finals.stream().filter(name -> name.kind() == Kind.LOG).forEach(name -> logs.add(name.baseOffset()));
    boolean isAny = folder.deleteAll(name -> name.state() == State.FINAL && !logs.contains(name.baseOffset())
        && name.kind() != Kind.PRODUCER_SNAPSHOT);
    if (isAny) {
      notes.add("deleted index files without a .log");
    }
    return isAny;
  }
}
