package dev.rowlog.engine.segment;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.segment.SegmentFileName.Kind;
import dev.rowlog.engine.segment.SegmentFileName.State;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The files of one segment: what they are called now, and the open {@code .log}. Guarded by its segment.
 */
final class SegmentFiles {
  /** The order of renames and deletions: a {@code .log} without its indexes is whole, the reverse is not. */
  private static final List<Kind> ORDER = List.of(Kind.LOG, Kind.INDEX, Kind.TIME_INDEX, Kind.TRANSACTION_INDEX);

  private final Disk disk;
  private final Path directory;
  private final long baseOffset;
  private State state;
  private DiskFile log;
  private boolean deleted;

  SegmentFiles(Disk disk, Path directory, long baseOffset, State state) {
    this.disk = disk;
    this.directory = directory;
    this.baseOffset = baseOffset;
    this.state = state;
  }

  Disk disk() {
    return disk;
  }

  long baseOffset() {
    return baseOffset;
  }

  /** As it is named now. */
  Path path(Kind kind) {
    return path(kind, state);
  }

  private Path path(Kind kind, State of) {
    return directory.resolve(new SegmentFileName(baseOffset, kind, of).toString());
  }

  /** Creates an empty {@code .log}; a leftover transaction index of that name goes. */
  void createLog() {
    disk.deleteIfExists(path(Kind.TRANSACTION_INDEX));
    log = disk.create(path(Kind.LOG));
  }

  /** The open {@code .log}. */
  DiskFile log() {
    if (log == null) {
      log = disk.openForWrite(path(Kind.LOG));
    }
    return log;
  }

  /** True where the names are gone and no handle is left to read by. */
  boolean isGone() {
    return deleted && log == null;
  }

  /** True once the names are gone: nothing may be written under them, which may be another segment's by now. */
  boolean isDeleted() {
    return deleted;
  }

  void closeLog() {
    if (log != null) {
      DiskFile closing = log;
      log = null;
      closing.close();
    }
  }

  /**
   * Renames each file to another state; open handles stay good.
   *
   * @param moved told after each
   */
  void rename(State newState, BiConsumer<Kind, Path> moved) {
    State oldState = state;
    for (Kind kind : ORDER) {
      Path from = path(kind, oldState);
      Path to = path(kind, newState);
      if (kind == Kind.LOG || disk.exists(from)) {
        disk.rename(from, to);
      }
      // From here on the name to open is the new one, also where a later file refuses.
      state = newState;
      moved.accept(kind, to);
    }
  }

  /** Deletes the files as they are named now; fine where some are missing. */
  void delete() {
    deleted = true;
    for (Kind kind : ORDER) {
      disk.deleteIfExists(path(kind));
    }
  }

  /** Ms since the epoch, of the {@code .log}. */
  long lastModified() {
    return disk.lastModified(path(Kind.LOG));
  }

  void setLastModified(long epochMs) {
    disk.setLastModified(path(Kind.LOG), epochMs);
  }
}
