package dev.rowlog.engine.log.opening;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.LogException;
import dev.rowlog.engine.log.OpenedLog;
import dev.rowlog.engine.log.PartitionFolder;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.RecoveryReport;
import dev.rowlog.engine.log.RecoveryReport.LostRange;
import dev.rowlog.engine.log.SegmentList;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.log.replacement.SegmentReplacement;
import dev.rowlog.engine.segment.Segment;
import dev.rowlog.engine.segment.SegmentFileName;
import dev.rowlog.engine.segment.SegmentFileName.State;
import dev.rowlog.engine.segment.SegmentRecovery;
import dev.rowlog.engine.segment.index.IndexSettings;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Opens the segments of one log: finishes or undoes a replacement, checks what was never known to be durable, cuts
 * what the bound lets go (Kafka {@code LogLoader}). One use, one thread.
 *
 * <p>A failure of the disk is passed on and cuts nothing; only bytes that were read and are wrong do.
 */
public final class LogOpening {
  private static final System.Logger LOGGER = System.getLogger(LogOpening.class.getName());
  private static final int COPY_BYTES = 256 * 1024;

  private final Disk disk;
  private final PartitionFolder folder;
  private final Path directory;
  private final IndexSettings settings;
  private final LastStop lastStop;
  /** No retention ever takes its first segment. */
  private final boolean keepsItsStart;
  private final List<Segment> segments = new ArrayList<>();
  private final List<LostRange> lostRanges = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private int scannedSegments;
  private long cutBytes;

  /**
   * What the last life of the log has left in the checkpoints.
   *
   * @param clean everything that is there was made durable
   * @param recoveryPoint everything below was made durable
   * @param logStartOffset first readable offset
   */
  public record LastStop(boolean clean, long recoveryPoint, long logStartOffset) {}

  private LogOpening(PartitionFolder folder, LogConfig config, LastStop lastStop) {
    this.disk = folder.disk();
    this.folder = folder;
    this.directory = folder.path();
    this.settings = config.indexSettings();
    this.lastStop = lastStop;
    this.keepsItsStart = !config.cleanupPolicy().deletes();
  }

  /**
   * Opens the log of a folder that is there.
   *
   * @throws CorruptLogException where what must be whole is not
   */
  public static PartitionLog open(
      PartitionFolder folder,
      LogConfig config,
      OpeningBound bound,
      LastStop lastStop,
      PartitionLog.Surroundings surroundings) {
    LogOpening opening = new LogOpening(folder, config, lastStop);
    try {
      return new PartitionLog(folder, config, surroundings, opening.open(bound));
    } catch (RuntimeException | Error e) {
      opening.closeAll(e);
      throw e;
    }
  }

  private OpenedLog open(OpeningBound bound) {
    notes.addAll(SegmentReplacement.recover(disk, directory));
    List<Long> baseOffsets = List.copyOf(folder.baseOffsets());
    if (bound instanceof OpeningBound.Committed committed) {
      ensureFiles(baseOffsets, committed);
      if (keepsItsStart) {
        ensureStart(baseOffsets);
      }
    }
    for (int i = 0; i < baseOffsets.size(); i++) {
      if (!openSegment(baseOffsets, i, bound)) {
        break;
      }
    }
    dropOverlapped();
    if (segments.isEmpty()) {
      segments.add(Segment.create(disk, directory, lastStop.logStartOffset(), State.FINAL, settings));
      disk.syncDirectory(directory);
    }
    if (bound instanceof OpeningBound.Committed committed) {
      cutTo(committed.endOffset());
    }
    return opened();
  }

  /** Before an empty file takes the place of what is missing. */
  private void ensureFiles(List<Long> baseOffsets, OpeningBound.Committed committed) {
    if (baseOffsets.isEmpty() && committed.endOffset() > lastStop.logStartOffset()) {
      throw new CorruptLogException(directory, 0, "the log is committed to offset " + committed.endOffset()
          + ", but its files are missing; restore them or rebuild the log from its source");
    }
  }

  /** Cleaning keeps the name of the first segment. */
  private void ensureStart(List<Long> baseOffsets) {
    if (!baseOffsets.isEmpty() && baseOffsets.get(0) > lastStop.logStartOffset()) {
      throw new CorruptLogException(
          directory.resolve(new SegmentFileName(baseOffsets.get(0), SegmentFileName.Kind.LOG, State.FINAL).toString()),
          0,
          "the log starts at offset " + lastStop.logStartOffset() + ", but its first file begins at "
              + baseOffsets.get(0) + ": those before it are missing; restore them or rebuild the log from its source");
    }
  }

  private void closeAll(Throwable failure) {
    for (Segment segment : segments) {
      try {
        segment.close();
      } catch (LogException e) {
        failure.addSuppressed(e);
      }
    }
  }

  /** False where the log ends in it. */
  private boolean openSegment(List<Long> baseOffsets, int index, OpeningBound bound) {
    long baseOffset = baseOffsets.get(index);
    long endOffset = index + 1 < baseOffsets.size() ? baseOffsets.get(index + 1) : Long.MAX_VALUE;
    if (lastStop.clean() || endOffset <= lastStop.recoveryPoint()) {
      segments.add(Segment.open(disk, directory, baseOffset, State.FINAL, settings));
      return true;
    }
    SegmentRecovery recovery = SegmentRecovery.scan(disk, directory, baseOffset, settings);
    scannedSegments++;
    Optional<CorruptLogException> problem = recovery.problem();
    if (problem.isEmpty() && !(bound instanceof OpeningBound.Committed)) {
      problem = missingTail(recovery, endOffset);
    }
    List<Long> following = baseOffsets.subList(index + 1, baseOffsets.size());
    if (problem.isPresent() && bound instanceof OpeningBound.Committed committed) {
      ensureCommitted(recovery, problem.get(), committed.endOffset());
      deleteSegments(following);
    } else if (problem.isPresent()) {
      if (bound instanceof OpeningBound.SyncedBatches) {
        ensureTornTail(recovery, problem.get(), following);
      }
      endBefore(recovery, problem.get(), following);
    }
    cutBytes += recovery.fileBytes() - recovery.validBytes();
    segments.add(recovery.finish());
    return problem.isEmpty();
  }

  /**
   * A segment that ends before the next one begins has lost bytes: it was never cleaned, since that moves the
   * recovery point first. Where commits say what must be there, what was lost lies beyond them.
   */
  private Optional<CorruptLogException> missingTail(SegmentRecovery recovery, long endOffset) {
    boolean isOurs = folder.config().isPresent();
    if (!isOurs || endOffset == Long.MAX_VALUE || recovery.nextOffset() >= endOffset) {
      return Optional.empty();
    }
    return Optional.of(
        new CorruptLogException(
            recovery.logPath(),
            recovery.fileBytes(),
            "the file ends at offset " + recovery.nextOffset() + ", the next one begins at " + endOffset));
  }

  private static void ensureCommitted(SegmentRecovery recovery, CorruptLogException problem, long committedEnd) {
    if (recovery.nextOffset() < committedEnd) {
      throw new CorruptLogException(
          problem.file(),
          problem.position(),
          "the log is short of its commit: valid batches end at offset " + recovery.nextOffset() + ", committed is "
              + committedEnd
              + " (" + problem.getMessage() + "); restore the file or rebuild the log from its source",
          problem);
    }
  }

  private void ensureTornTail(SegmentRecovery recovery, CorruptLogException problem, List<Long> following) {
    if (lostEnd(recovery, following) > recovery.nextOffset()) {
      throw new CorruptLogException(
          problem.file(),
          problem.position(),
          "the batch here is damaged, but whole ones follow it, and each was synced before the next ("
              + problem.getMessage() + "); restore the directory from a backup",
          problem);
    }
  }

  /** Next offset behind the last valid batch, behind the problem and in the following segments too. */
  private long lostEnd(SegmentRecovery recovery, List<Long> following) {
    long lostEnd = recovery.nextOffsetBehindProblem().orElse(recovery.nextOffset());
    for (long baseOffset : following) {
      SegmentRecovery later = SegmentRecovery.scan(disk, directory, baseOffset, settings);
      long nextOffset = Math.max(later.nextOffset(), later.nextOffsetBehindProblem().orElse(baseOffset));
      if (nextOffset > baseOffset) {
        lostEnd = Math.max(lostEnd, nextOffset);
      }
    }
    return lostEnd;
  }

  /** Ends a log without commits before a bad batch. Where good ones follow it, they are set aside and reported. */
  private void endBefore(SegmentRecovery recovery, CorruptLogException problem, List<Long> following) {
    long lostEnd = lostEnd(recovery, following);
    if (lostEnd > recovery.nextOffset()) {
      LostRange lost = new LostRange(recovery.nextOffset(), lostEnd, setAside(recovery, following));
      lostRanges.add(lost);
      LOGGER.log(
          System.Logger.Level.ERROR,
          "{0}; offsets {1} to {2} (exclusive) are lost, their bytes were set aside as {3}",
          problem.getMessage(), Long.toString(lost.firstOffset()), Long.toString(lostEnd), lost.setAside());
    } else {
      notes.add("cut a torn tail: " + problem.getMessage());
    }
    deleteSegments(following);
  }

  private List<Path> setAside(SegmentRecovery recovery, List<Long> following) {
    List<Path> files = new ArrayList<>();
    files.add(setAside(recovery.logPath(), recovery.baseOffset(), recovery.validBytes(), recovery.fileBytes()));
    for (long baseOffset : following) {
      Path log = path(baseOffset, SegmentFileName.Kind.LOG);
      files.add(setAside(log, baseOffset, 0, disk.size(log)));
    }
    disk.syncDirectory(directory);
    return files;
  }

  private Path setAside(Path log, long baseOffset, long from, long end) {
    Path target = directory.resolve("set-aside-" + baseOffset + "-at-" + from + ".bytes");
    ByteBuffer buffer = ByteBuffer.allocateDirect(COPY_BYTES);
    try (DiskFile source = disk.openForRead(log); DiskFile copy = disk.create(target)) {
      for (long at = from; at < end; at += buffer.limit()) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), end - at));
        source.read(buffer, at);
        copy.write(buffer.flip(), at - from);
      }
      copy.sync();
    }
    return target;
  }

  private Path path(long baseOffset, SegmentFileName.Kind kind) {
    return directory.resolve(new SegmentFileName(baseOffset, kind, State.FINAL).toString());
  }

  /** From the last one down: what is left after a crash is a log that ends earlier, not one with a hole. */
  private void deleteSegments(List<Long> baseOffsets) {
    for (int i = baseOffsets.size() - 1; i >= 0; i--) {
      Path log = path(baseOffsets.get(i), SegmentFileName.Kind.LOG);
      cutBytes += disk.size(log);
      disk.delete(log);
      for (SegmentFileName.Kind kind : SegmentFileName.Kind.values()) {
        disk.deleteIfExists(path(baseOffsets.get(i), kind));
      }
    }
    if (!baseOffsets.isEmpty()) {
      disk.syncDirectory(directory);
    }
  }

  /** A merged segment beside sources that were never removed: the wider one is newer and holds what they held. */
  private void dropOverlapped() {
    for (int i = 0; i + 1 < segments.size();) {
      Segment wide = segments.get(i);
      Segment next = segments.get(i + 1);
      if (wide.nextOffset() <= next.baseOffset()) {
        i++;
      } else if (next.nextOffset() <= wide.nextOffset() && isWhole(wide)) {
        notes.add("dropped " + next + ", which " + wide + " replaces");
        segments.remove(i + 1);
        next.rename(State.DELETED);
        next.close();
      } else {
        throw new CorruptLogException(
            next.logPath(), -1, "segment " + next + " overlaps " + wide + ": one of them is not of this log");
      }
    }
  }

  private boolean isWhole(Segment segment) {
    return SegmentRecovery.scan(disk, directory, segment.baseOffset(), settings).problem().isEmpty();
  }

  private void cutTo(long committedEnd) {
    long endOffset = Math.max(committedEnd, segments.get(0).baseOffset());
    Segment last = segments.get(segments.size() - 1);
    if (last.nextOffset() < endOffset) {
      throw new CorruptLogException(
          last.logPath(),
          last.sizeBytes(),
          "the log is short of its commit: it ends at offset " + last.nextOffset() + ", committed is " + endOffset
              + "; restore its files or rebuild the log from its source");
    }
    boolean isNameChanged = false;
    while (last.baseOffset() > endOffset) {
      segments.remove(segments.size() - 1);
      cutBytes += last.sizeBytes();
      last.delete();
      last.close();
      isNameChanged = true;
      last = segments.get(segments.size() - 1);
    }
    cutBytes += last.truncateTo(endOffset);
    if (isNameChanged) {
      disk.syncDirectory(directory);
    }
    if (last.nextOffset() != endOffset) {
      throw new CorruptLogException(
          last.logPath(),
          last.sizeBytes(),
          "a batch crosses the commit: batches below it end at offset " + last.nextOffset() + ", committed is "
              + endOffset
              + "; restore its files or rebuild the log from its source");
    }
  }

  private OpenedLog opened() {
    SegmentList list = new SegmentList(segments);
    list.active().becomeActive();
    long logEnd = list.active().nextOffset();
    long firstBase = list.all().get(0).baseOffset();
    long logStart = Math.max(firstBase, lastStop.logStartOffset());
    if (logStart > logEnd) {
      notes.add("ignored the log start checkpoint " + logStart + ", which lies beyond the log end " + logEnd);
      logStart = firstBase;
    }
    long recoveryPoint = lastStop.clean() ? logEnd : Math.min(lastStop.recoveryPoint(), logEnd);
    RecoveryReport report = new RecoveryReport(lastStop.clean(), scannedSegments, cutBytes, lostRanges, notes);
    long openTransaction = folder.mayHoldTransactions()
        ? OpenTransactions.firstOffset(disk, directory, list)
        : Long.MAX_VALUE;
    return new OpenedLog(list, logStart, logEnd, recoveryPoint, openTransaction, report);
  }
}
