package dev.rowlog.engine.log;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.error.DiskFailureException;
import dev.rowlog.engine.error.LogException;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.log.policy.RetentionPolicy;
import dev.rowlog.engine.log.policy.RollPolicy;
import dev.rowlog.engine.log.replacement.SegmentReplacement;
import dev.rowlog.engine.segment.Segment;
import dev.rowlog.engine.segment.SegmentFileName.State;
import dev.rowlog.engine.segment.index.IndexSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The segments of an open log, and those that it has let go: rolls, cuts, swaps and retires them, each time by a new
 * immutable list (Kafka {@code LocalLog}).
 *
 * <p>Changes: guarded by the log's lock. {@link #list}: any thread.
 */
final class LogSegments {
  private final Disk disk;
  private final Path directory;
  private final RetiredSegments retired = new RetiredSegments();
  private volatile SegmentList list;

  // Guarded by the log's lock.
  private boolean namesChanged;
  private long activeSinceMs;

  /**
   * @param namesChanged names in the folder may not be durable
   */
  LogSegments(Disk disk, Path directory, SegmentList list, boolean namesChanged, long nowMs) {
    this.disk = disk;
    this.directory = directory;
    this.list = list;
    this.namesChanged = namesChanged;
    this.activeSinceMs = nowMs;
  }

  SegmentList list() {
    return list;
  }

  Segment active() {
    return list.active();
  }

  /** When the active segment was created or opened (ms). */
  long activeSinceMs() {
    return activeSinceMs;
  }

  boolean isDueToRoll(LogConfig config, RollPolicy.NextBatch next, long nowMs) {
    Segment active = list.active();
    RollPolicy.ActiveSegment state = new RollPolicy.ActiveSegment(
        active.baseOffset(), active.sizeBytes(), active.firstBatchTimestamp(), activeSinceMs, active.isIndexFull());
    return RollPolicy.shouldRoll(config, state, next, nowMs);
  }

  /** The segments as retention sees them, the active one last. */
  List<RetentionPolicy.Candidate> retentionCandidates(long logEndOffset) {
    List<Segment> all = list.all();
    List<RetentionPolicy.Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      long endOffset = i + 1 < all.size() ? all.get(i + 1).baseOffset() : logEndOffset;
      candidates.add(new RetentionPolicy.Candidate(endOffset, all.get(i).sizeBytes(), all.get(i).largestTimestamp()));
    }
    return candidates;
  }

  /** Closes the active segment and starts a new one at the log end; nothing where it begins there. */
  void roll(long logEndOffset, IndexSettings settings, long nowMs) {
    Segment closing = list.active();
    List<Segment> next = new ArrayList<>(list.all());
    if (closing.baseOffset() == logEndOffset) {
      return;
    }
    Segment active = Segment.create(disk, directory, logEndOffset, State.FINAL, settings);
    namesChanged = true;
    try {
      if (closing.sizeBytes() > 0) {
        closing.becomeInactive();
      } else {
        // Nothing was ever in it, and nothing can be: its offsets lie below the log end.
        next.remove(closing);
        closing.delete();
        closing.close();
      }
    } catch (RuntimeException | Error e) {
      discard(active, e);
      throw e;
    }
    next.add(active);
    list = new SegmentList(next);
    activeSinceMs = nowMs;
  }

  private static void discard(Segment segment, Throwable failure) {
    try {
      segment.delete();
      segment.close();
    } catch (DiskFailureException e) {
      failure.addSuppressed(e);
    }
  }

  /** Makes bytes from {@code fromOffset} on durable, and every name. */
  void sync(long fromOffset) {
    List<Segment> all = list.all();
    for (Segment segment : all.subList(list.floorIndex(fromOffset), all.size())) {
      segment.sync();
    }
    if (namesChanged) {
      disk.syncDirectory(directory);
      namesChanged = false;
    }
  }

  /** Cuts every record at or beyond {@code offset}; the active segment may end below it, in a gap. */
  void cutTo(long offset) {
    List<Segment> kept = new ArrayList<>(list.all());
    namesChanged |= kept.get(kept.size() - 1).baseOffset() > offset;
    // From the newest down, so that a crash leaves a log that ends earlier, not one with a hole.
    while (kept.size() > 1 && kept.get(kept.size() - 1).baseOffset() > offset) {
      Segment last = kept.remove(kept.size() - 1);
      list = new SegmentList(kept);
      last.delete();
      last.close();
    }
    Segment active = kept.get(kept.size() - 1);
    active.becomeActive();
    active.truncateTo(offset);
  }

  /** The sources of a replacement that are still there; retention may have taken some. */
  List<Segment> remainingSources(SegmentReplacement replacement) {
    List<Segment> sources = replacement.sources().stream().filter(list.all()::contains).toList();
    if (sources.contains(list.active())) {
      throw new IllegalArgumentException("the active segment cannot be replaced: " + list.active());
    }
    return sources;
  }

  /** Makes the plan of a replacement durable; from then on it happens, sooner or later. */
  void commit(SegmentReplacement replacement) {
    replacement.sources().forEach(source -> retired.deleteNamesake(source.baseOffset()));
    replacement.commit(disk, directory);
  }

  /** Takes back a plan of which it is not known whether it is durable. */
  void withdrawReplacement() {
    SegmentReplacement.withdraw(disk, directory);
  }

  /** Carries out a committed replacement and publishes the new list. */
  void complete(SegmentReplacement replacement, long nowMs) {
    replacement.complete(disk, directory);
    List<Segment> next = new ArrayList<>(list.all());
    next.removeAll(replacement.sources());
    next.addAll(replacement.cleaned());
    next.sort(Comparator.comparingLong(Segment::baseOffset));
    list = new SegmentList(next);
    replacement.sources().forEach(source -> retired.add(source, nowMs));
  }

  /** Lets the oldest segment go; it must not be the only one. */
  void retireOldest(long nowMs) {
    List<Segment> all = list.all();
    Segment oldest = all.get(0);
    retired.deleteNamesake(oldest.baseOffset());
    oldest.rename(State.DELETED);
    namesChanged = true;
    list = new SegmentList(all.subList(1, all.size()));
    retired.add(oldest, nowMs);
  }

  /** Unlinks those let go at or before an instant (ms); returns how many. */
  int deleteRetiredUpTo(long epochMs) {
    return retired.deleteRetiredUpTo(epochMs);
  }

  /** Gives up every file; what fails is added to {@code failure}. */
  void close(LogException failure) {
    close(list.all(), failure);
    close(retired.all(), failure);
  }

  private static void close(List<Segment> segments, LogException failure) {
    for (Segment segment : segments) {
      try {
        segment.close();
      } catch (LogException e) {
        failure.addSuppressed(e);
      }
    }
  }
}
