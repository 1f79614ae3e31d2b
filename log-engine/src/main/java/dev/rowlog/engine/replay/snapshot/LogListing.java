package dev.rowlog.engine.replay.snapshot;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.replacement.SegmentReplacement;
import dev.rowlog.engine.segment.SegmentFileName;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The segment files of one log's folder at one instant, each with the identity of the file behind its name. Two equal listings with
 * no replacement under way mean that what was opened between them belongs together.
 *
 * @param files by name
 * @param isBeingReplaced segments are being replaced, or were when the writer was killed
 */
record LogListing(
    TopicPartition log, Path folder, NavigableMap<SegmentFileName, Object> files, boolean isBeingReplaced) {

  static LogListing of(Disk disk, Path root, TopicPartition log) {
    Path folder = root.resolve(log.directoryName());
    NavigableMap<SegmentFileName, Object> files = new TreeMap<>(
        (a, b) -> a.baseOffset() != b.baseOffset()
            ? Long.compare(a.baseOffset(), b.baseOffset())
            : a.toString().compareTo(b.toString()));
    for (String name : disk.list(folder)) {
      Optional<SegmentFileName> file = SegmentFileName.parse(name).filter(LogListing::isRead);
      // Half-written files of the cleaner are not read: their names are enough, and they may go at any time.
      file.ifPresent(
          read -> files.put(read,
              read.state() == SegmentFileName.State.CLEANED ? "" : disk.fileKey(folder.resolve(name))));
    }
    return new LogListing(log, folder, files, SegmentReplacement.isUnderWay(disk, folder, files.keySet()));
  }

  private static boolean isRead(SegmentFileName name) {
    return name.kind() == SegmentFileName.Kind.TRANSACTION_INDEX && name.state() == SegmentFileName.State.FINAL
        || name.kind() == SegmentFileName.Kind.LOG && name.state() != SegmentFileName.State.DELETED;
  }

  /** As {@link #equals}, whatever half-written files of the cleaner are there: they are not read. */
  boolean readsSameAs(LogListing other) {
    return isBeingReplaced == other.isBeingReplaced
        && (isBeingReplaced ? files.equals(other.files) : withoutCleaned(files).equals(withoutCleaned(other.files)));
  }

  private static Map<SegmentFileName, Object> withoutCleaned(Map<SegmentFileName, Object> files) {
    Map<SegmentFileName, Object> read = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
    files.forEach((name, key) -> {
      if (name.state() != SegmentFileName.State.CLEANED) {
        read.put(name, key);
      }
    });
    return read;
  }
}
