package dev.rowlog.engine.replay.snapshot;

import dev.rowlog.engine.log.TopicPartition;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where readers of a directory have got to in each log, so that one who goes on does not walk the file from its start: bytes below a
 * committed end never change under one identity of a file. Any thread.
 */
final class ReadPositions {
  private final Map<TopicPartition, Place> places = new ConcurrentHashMap<>();

  /**
   * A batch's place in a file.
   *
   * @param baseOffset of the batch at {@code position}
   */
  private record Place(Object fileKey, long baseOffset, long position) {}

  /** Byte position of a batch that begins at or below {@code offset}; 0 where none is known. */
  long floor(TopicPartition log, Object fileKey, long offset) {
    Place place = places.get(log);
    return place != null && place.fileKey.equals(fileKey) && place.baseOffset <= offset ? place.position : 0;
  }

  void put(TopicPartition log, Object fileKey, long baseOffset, long position) {
    places.put(log, new Place(fileKey, baseOffset, position));
  }
}
