package dev.rowlog.engine.replay.snapshot;

import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.segment.BatchScanner;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where readers of a directory have got to in each log, so that one who goes on does not walk the file from its start. A file system may give the
 * identity of a file that is gone to a new one: so a place counts only where its batch is still there. Any thread.
 */
final class ReadPositions {
  private static final int READ_BYTES = 16 << 10;

  private final Map<TopicPartition, Place> places = new ConcurrentHashMap<>();

  /**
   * A batch's place in a file.
   *
   * @param baseOffset of the batch at {@code position}
   */
  private record Place(Object fileKey, long baseOffset, long position) {}

  /**
   * Byte position of a batch that begins at or below {@code offset}; 0 where none is known.
   *
   * @param sizeBytes of the file, exclusive
   */
  long floor(TopicPartition log, Object fileKey, long offset, DiskFile file, long sizeBytes) {
    Place place = places.get(log);
    return place != null && place.fileKey.equals(fileKey) && place.baseOffset <= offset
        && isThere(place, file, sizeBytes)
            ? place.position
            : 0;
  }

  private static boolean isThere(Place place, DiskFile file, long sizeBytes) {
    if (place.position >= sizeBytes) {
      return false;
    }
    try {
      BatchScanner batches = new BatchScanner(file, place.position, sizeBytes, READ_BYTES);
      if (!batches.next() || batches.batch().baseOffset() != place.baseOffset) {
        return false;
      }
      batches.batch().ensureValid(file.path(), place.position);
      return true;
    } catch (CorruptLogException | UnsupportedFormatException e) {
      // Bytes that were no batch boundary in this file, or damage, which the walk from the start reports.
      return false;
    }
  }

  void put(TopicPartition log, Object fileKey, long baseOffset, long position) {
    places.put(log, new Place(fileKey, baseOffset, position));
  }
}
