package dev.rowlog.engine.segment;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.segment.index.IndexSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A segment that may hold anything after an unclean stop: scanned first, then, where its log agrees, brought in order
 * (Kafka {@code LogSegment.recover}). One thread.
 */
public final class SegmentRecovery {
  private final Disk disk;
  private final Path directory;
  private final IndexSettings settings;
  private final SegmentScan scan;
  private final long fileBytes;

  private SegmentRecovery(Disk disk, Path directory, IndexSettings settings, SegmentScan scan, long fileBytes) {
    this.disk = disk;
    this.directory = directory;
    this.settings = settings;
    this.scan = scan;
    this.fileBytes = fileBytes;
  }

  /** Checks every batch; changes nothing. */
  public static SegmentRecovery scan(Disk disk, Path directory, long baseOffset, IndexSettings settings) {
    try (DiskFile file = disk.openForRead(logPath(directory, baseOffset))) {
      return new SegmentRecovery(disk, directory, settings, SegmentScan.of(file, baseOffset, settings), file.size());
    }
  }

  private static Path logPath(Path directory, long baseOffset) {
    return directory.resolve(
        new SegmentFileName(baseOffset, SegmentFileName.Kind.LOG, SegmentFileName.State.FINAL).toString());
  }

  public Path logPath() {
    return logPath(directory, scan.baseOffset());
  }

  public long baseOffset() {
    return scan.baseOffset();
  }

  /** After the last valid batch. */
  public long nextOffset() {
    return scan.extent().nextOffset();
  }

  public long validBytes() {
    return scan.extent().sizeBytes();
  }

  public long fileBytes() {
    return fileBytes;
  }

  /** Why the scan stopped before the end of the file; empty where all of it is valid. */
  public Optional<CorruptLogException> problem() {
    return scan.problem();
  }

  /**
   * Next offset after the last valid batch that lies somewhere behind the problem; empty for a torn tail, where none
   * does.
   */
  public Optional<Long> nextOffsetBehindProblem() {
    if (problem().isEmpty()) {
      return Optional.empty();
    }
    try (DiskFile file = disk.openForRead(logPath())) {
      return BatchSearch.lastNextOffset(file, validBytes(), fileBytes, nextOffset());
    }
  }

  /** Writes the indexes and cuts what is not valid. */
  public Segment finish() {
    return SegmentOpening.recovered(
        new SegmentFiles(disk, directory, scan.baseOffset(), SegmentFileName.State.FINAL), scan, settings);
  }
}
