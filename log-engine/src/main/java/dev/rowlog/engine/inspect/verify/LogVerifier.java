package dev.rowlog.engine.inspect.verify;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.directory.OffsetCheckpoint;
import dev.rowlog.engine.replay.DirectoryReader;
import dev.rowlog.engine.replay.SegmentFile;
import dev.rowlog.engine.segment.SegmentFileName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks every invariant of a log's files. Changes nothing; goes on after what is wrong, so that all of it is found.
 *
 * <p>Batches whole and rising, inside their segment, up to the committed end; indexes that lead to the right batch; checkpoints within the
 * log; and more by {@link Option}. What a row's newest value should be only its source knows: that is another comparison.
 */
public final class LogVerifier {

  /** Checks beyond those that always hold. */
  public enum Option {
    /** The writer has stopped cleanly: each segment has its indexes, no {@code .cleaned} or {@code .swap} file is left. */
    CLOSED,
    /** A complete pass has just run: below the cleaner checkpoint each key is there once (holds those keys in memory). */
    JUST_CLEANED
  }

  private final DirectoryReader reader;
  private final Disk disk;
  private final TopicPartition log;
  private final Path folder;
  private final Set<Option> options;
  private final List<Finding> findings = new ArrayList<>();

  private LogVerifier(DirectoryReader reader, TopicPartition log, Set<Option> options) {
    this.reader = reader;
    this.disk = reader.disk();
    this.log = log;
    this.folder = reader.root().resolve(log.directoryName());
    this.options = options;
  }

  /** Every log of the directory. */
  public static List<VerificationReport> verifyAll(DirectoryReader reader, Option... options) {
    return reader.partitions().stream().map(log -> verify(reader, log, options)).toList();
  }

  /**
   * @throws dev.rowlog.engine.error.UnknownTopicException where there is no such log
   * @throws dev.rowlog.engine.error.DiskFailureException where the file system refuses: what it hides is not judged
   */
  public static VerificationReport verify(DirectoryReader reader, TopicPartition log, Option... options) {
    Set<Option> asked = EnumSet.noneOf(Option.class);
    asked.addAll(List.of(options));
    return new LogVerifier(reader, log, asked).run();
  }

  private VerificationReport run() {
    long endOffset = reader.endOffset(log);
    SegmentCheck.Totals totals = new SegmentCheck.Totals();
    List<SegmentFile> segments = reader.segments(log);
    UniqueKeys unique = new UniqueKeys(options.contains(Option.JUST_CLEANED) ? cleanedEnd() : 0);
    for (int i = 0; i < segments.size(); i++) {
      long limit = i + 1 < segments.size() ? segments.get(i + 1).baseOffset() : Long.MAX_VALUE;
      SegmentCheck check = new SegmentCheck(reader, log, segments.get(i), limit, unique, totals, findings);
      check.run();
      checkIndexes(segments.get(i), check);
    }
    if (segments.isEmpty() && endOffset > 0) {
      find(folder, -1, "no segment is there, but the log is committed to " + endOffset);
    }
    checkCheckpoints(Math.max(totals.nextOffset, endOffset), endOffset);
    if (options.contains(Option.CLOSED)) {
      checkLeftovers();
    }
    return new VerificationReport(log, segments.size(), totals.batches, totals.records, totals.sizeBytes, findings);
  }

  private long cleanedEnd() {
    return reader.checkpoint(OffsetCheckpoint.CLEANER_OFFSET).getOrDefault(log, 0L);
  }

  private void checkIndexes(SegmentFile segment, SegmentCheck check) {
    Path offsets = indexPath(segment, SegmentFileName.Kind.INDEX);
    Path times = indexPath(segment, SegmentFileName.Kind.TIME_INDEX);
    for (Path index : List.of(offsets, times)) {
      if (options.contains(Option.CLOSED) && !disk.exists(index)) {
        find(index, -1, "the index is missing; the next opening makes it again");
      }
    }
    if (!disk.exists(offsets) || !disk.exists(times)) {
      return;
    }
    IndexCheck indexes = new IndexCheck(check.batches());
    List<Finding> found = new ArrayList<>();
    indexes.checkOffsets(disk.readAll(offsets), segment.baseOffset(), offsets, found);
    indexes.checkTimes(disk.readAll(times), segment.baseOffset(), times, found);
    // The cleaner may have put other files in place of those that were scanned: their indexes say nothing about these.
    Path logFile = folder.resolve(name(segment, SegmentFileName.Kind.LOG));
    if (disk.exists(logFile) && disk.fileKey(logFile).equals(segment.fileKey())) {
      findings.addAll(found);
    }
  }

  private Path indexPath(SegmentFile segment, SegmentFileName.Kind kind) {
    return folder.resolve(name(segment, kind));
  }

  private static String name(SegmentFile segment, SegmentFileName.Kind kind) {
    return new SegmentFileName(segment.baseOffset(), kind, SegmentFileName.State.FINAL).toString();
  }

  private void checkCheckpoints(long logEnd, long highWatermark) {
    checkAtMost(OffsetCheckpoint.LOG_START, highWatermark, "the high watermark");
    checkAtMost(OffsetCheckpoint.CLEANER_OFFSET, highWatermark, "the high watermark");
    checkAtMost(OffsetCheckpoint.REPLICATION_OFFSET, highWatermark, "the high watermark");
    checkAtMost(OffsetCheckpoint.TOMBSTONE_HORIZON, highWatermark, "the high watermark");
    checkAtMost(OffsetCheckpoint.RECOVERY_POINT, logEnd, "the log end");
  }

  private void checkAtMost(String fileName, long bound, String boundName) {
    Map<TopicPartition, Long> offsets;
    try {
      offsets = reader.checkpoint(fileName);
    } catch (CorruptLogException e) {
      find(reader.root().resolve(fileName), e.position(), e.getMessage());
      return;
    }
    long offset = offsets.getOrDefault(log, 0L);
    if (offset < 0 || offset > bound && !isRunning()) {
      find(reader.root().resolve(fileName), -1, log + " is at " + offset + ", beyond " + boundName + " " + bound);
    }
  }

  /** Beside a running process a checkpoint may be newer than the commit that this reader sees. */
  private boolean isRunning() {
    return !options.contains(Option.CLOSED);
  }

  /** Files named {@code .deleted} only wait for their time. */
  private void checkLeftovers() {
    for (String name : disk.list(folder)) {
      SegmentFileName.parse(name)
          .filter(file -> file.state() == SegmentFileName.State.CLEANED || file.state() == SegmentFileName.State.SWAP)
          .ifPresent(
              file -> find(folder.resolve(name), -1, "left over from a replacement that an opening should have ended"));
    }
  }

  private void find(Path file, long position, String problem) {
    findings.add(new Finding(file, position, problem));
  }
}
