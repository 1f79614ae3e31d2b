package dev.rowlog.engine.segment;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.segment.SegmentFileName.Kind;
import dev.rowlog.engine.segment.index.IndexSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How the files of a segment become one: created, opened as they are, or as a recovery has found them. No state; what
 * fails has closed what it had opened.
 */
final class SegmentOpening {
  private SegmentOpening() {}

  static Segment create(SegmentFiles files, IndexSettings settings) {
    try {
      files.createLog();
      SegmentIndexes indexes = SegmentIndexes.create(
          files.disk(), files.path(Kind.INDEX), files.path(Kind.TIME_INDEX), files.baseOffset());
      return new Segment(
          files, files.baseOffset(), settings, SegmentExtent.empty(files.baseOffset()), indexes, true);
    } catch (RuntimeException | Error e) {
      attempt(files::closeLog, e);
      attempt(files::delete, e);
      throw e;
    }
  }

  private static void attempt(Runnable step, Throwable failure) {
    try {
      step.run();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  static Segment open(SegmentFiles files, IndexSettings settings) {
    Path path = files.path(Kind.LOG);
    long logBytes = files.disk().size(path);
    try (DiskFile file = files.disk().openForRead(path)) {
      Optional<SegmentIndexes> read = readIndexes(files, logBytes);
      Optional<SegmentExtent> extent = read
          .flatMap(found -> SegmentTail.read(file, files.baseOffset(), logBytes, found, settings));
      if (extent.isPresent()) {
        return new Segment(files, files.baseOffset(), settings, extent.get(), read.get(), false);
      }
      SegmentScan scan = SegmentScan.of(file, files.baseOffset(), settings);
      scan.ensureWhole();
      try {
        store(files, scan);
        scan.indexes().sync();
      } finally {
        scan.indexes().close();
      }
      return new Segment(files, files.baseOffset(), settings, scan.extent(), scan.indexes(), false);
    }
  }

  /** What a recovery has scanned: writes its indexes, cuts the {@code .log} behind its last valid batch. */
  static Segment recovered(SegmentFiles files, SegmentScan scan, IndexSettings settings) {
    Disk disk = files.disk();
    try {
      store(files, scan);
      Path path = files.path(Kind.LOG);
      if (disk.size(path) > scan.extent().sizeBytes()) {
        // The age of a segment without timestamps is its file's: opening does not make it younger.
        long modified = disk.lastModified(path);
        files.log().truncate(scan.extent().sizeBytes());
        disk.setLastModified(path, modified);
      }
      // What it has found may never have been synced.
      files.log();
      return new Segment(files, files.baseOffset(), settings, scan.extent(), scan.indexes(), true);
    } catch (RuntimeException | Error e) {
      attempt(files::closeLog, e);
      attempt(scan.indexes()::close, e);
      throw e;
    }
  }

  /** The indexes as they are on the disk, or made again. */
  static SegmentIndexes loadIndexes(SegmentFiles files, long logBytes, IndexSettings settings) {
    return readIndexes(files, logBytes).orElseGet(() -> {
      SegmentScan scan = scan(files, settings);
      scan.indexes().store(files.disk(), files.path(Kind.INDEX), files.path(Kind.TIME_INDEX));
      return scan.indexes();
    });
  }

  /** A walk over the open {@code .log}, all of which must be valid. */
  static SegmentScan scan(SegmentFiles files, IndexSettings settings) {
    SegmentScan scan = SegmentScan.of(files.log(), files.baseOffset(), settings);
    scan.ensureWhole();
    return scan;
  }

  private static Optional<SegmentIndexes> readIndexes(SegmentFiles files, long logBytes) {
    return SegmentIndexes.read(
        files.disk(), files.path(Kind.INDEX), files.path(Kind.TIME_INDEX), files.baseOffset(), logBytes);
  }

  private static void store(SegmentFiles files, SegmentScan scan) {
    // It may be closed, and does no harm where it is not.
    scan.indexes().addClosingEntry(scan.extent());
    scan.indexes().store(files.disk(), files.path(Kind.INDEX), files.path(Kind.TIME_INDEX));
  }
}
