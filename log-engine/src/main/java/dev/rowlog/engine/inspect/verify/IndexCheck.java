package dev.rowlog.engine.inspect.verify;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds the entries of a segment's indexes against its batches (Kafka {@code OffsetIndex}, {@code TimeIndex}). Pure.
 *
 * @param batches the committed ones, ascending; entries of later batches are not judged
 */
record IndexCheck(List<Batch> batches) {
  private static final int OFFSET_ENTRY_BYTES = 8;
  private static final int TIME_ENTRY_BYTES = 12;

  /**
   * @param lastOffset inclusive
   */
  record Batch(long position, long baseOffset, long lastOffset, long maxTimestamp) {}

  /** An entry leads to the start of a batch; every batch before it ends below the entry's offset. */
  void checkOffsets(byte[] index, long segmentBase, Path file, List<Finding> findings) {
    Map<Long, Integer> byPosition = new HashMap<>();
    for (int i = 0; i < batches.size(); i++) {
      byPosition.put(batches.get(i).position(), i);
    }
    ByteBuffer entries = entries(index, OFFSET_ENTRY_BYTES, file, findings);
    long previousOffset = -1;
    while (entries.hasRemaining()) {
      int at = entries.position();
      long offset = segmentBase + Integer.toUnsignedLong(entries.getInt());
      long position = Integer.toUnsignedLong(entries.getInt());
      if (isBeyond(position)) {
        return;
      }
      Integer batch = byPosition.get(position);
      if (batch == null) {
        findings.add(
            new Finding(file, at, "offset " + offset + " leads to position " + position + ", where no batch starts"));
      } else if (offset < batches.get(batch).baseOffset()) {
        findings.add(new Finding(
            file, at,
            "offset " + offset + " leads to position " + position + ", behind the batch that holds it (there: "
                + batches.get(batch).baseOffset() + ")"));
      }
      if (offset <= previousOffset) {
        findings.add(new Finding(file, at, "offset " + offset + " does not rise after " + previousOffset));
      }
      previousOffset = offset;
    }
  }

  private boolean isBeyond(long position) {
    return batches.isEmpty() || position > batches.get(batches.size() - 1).position();
  }

  /** No batch up to an entry's offset has a larger timestamp than the entry; timestamps rise. */
  void checkTimes(byte[] index, long segmentBase, Path file, List<Finding> findings) {
    ByteBuffer entries = entries(index, TIME_ENTRY_BYTES, file, findings);
    long previousTimestamp = Long.MIN_VALUE;
    long largest = -1;
    int next = 0;
    while (entries.hasRemaining()) {
      int at = entries.position();
      long timestamp = entries.getLong();
      long offset = segmentBase + Integer.toUnsignedLong(entries.getInt());
      if (batches.isEmpty() || offset > batches.get(batches.size() - 1).lastOffset()) {
        return;
      }
      for (; next < batches.size() && batches.get(next).lastOffset() <= offset; next++) {
        largest = Math.max(largest, batches.get(next).maxTimestamp());
      }
      if (largest > timestamp) {
        findings.add(new Finding(
            file, at, "timestamp " + timestamp + " at offset " + offset + ", but a batch up to there has " + largest));
      }
      if (timestamp <= previousTimestamp) {
        findings.add(new Finding(file, at, "timestamp " + timestamp + " does not rise after " + previousTimestamp));
      }
      previousTimestamp = timestamp;
    }
  }

  /** The file's entries without the zero tail of a preallocated index. */
  private static ByteBuffer entries(byte[] index, int entryBytes, Path file, List<Finding> findings) {
    int end = index.length;
    while (end > 0 && index[end - 1] == 0) {
      end--;
    }
    int used = (end + entryBytes - 1) / entryBytes * entryBytes;
    if (used > index.length) {
      findings.add(
          new Finding(file, -1, "its size " + index.length + " is no multiple of an entry's " + entryBytes + " bytes"));
      used = index.length / entryBytes * entryBytes;
    }
    return ByteBuffer.wrap(index, 0, used);
  }
}
