package dev.rowlog.engine.segment.index;

/**
 * How dense the indexes of a segment are.
 *
 * @param intervalBytes log bytes between two entries ({@code index.interval.bytes})
 * @param maxIndexBytes size at which an index is full ({@code segment.index.bytes})
 */
public record IndexSettings(int intervalBytes, int maxIndexBytes) {
  public IndexSettings {
    if (intervalBytes < 0) {
      throw new IllegalArgumentException("intervalBytes is negative: " + intervalBytes);
    }
    if (maxIndexBytes < 12) {
      throw new IllegalArgumentException("maxIndexBytes is below one time index entry (12): " + maxIndexBytes);
    }
  }

  public static IndexSettings defaults() {
    return new IndexSettings(4096, 10 * 1024 * 1024);
  }
}
