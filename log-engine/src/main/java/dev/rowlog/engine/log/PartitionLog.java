package dev.rowlog.engine.log;

import dev.rowlog.engine.record.RecordBatchEncoder;
import java.nio.file.Path;

/**
 * One log: an append-only list of segments with the offsets that bound it (Kafka {@code UnifiedLog}).
 *
 * <p>Invariant: log start ≤ high watermark ≤ log end; offsets are never used twice below a published high watermark.
 * Appends, roll, flush, truncate, replace: any thread, one at a time under the log's lock. Reads: any thread, over {@link #segments}.
 * A failed sync closes the log for writing; reads go on.
 */
public final class PartitionLog implements AutoCloseable {

  PartitionLog() {}

  public TopicPartition topicPartition() {
    throw new UnsupportedOperationException("skeleton");
  }

  public TopicId topicId() {
    throw new UnsupportedOperationException("skeleton");
  }

  public Path directory() {
    throw new UnsupportedOperationException("skeleton");
  }

  public LogConfig config() {
    throw new UnsupportedOperationException("skeleton");
  }

  public void reconfigure(LogConfig config) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** The segments as they are now; hold each ({@code retain}) before reading it, and skip to a fresh list where that fails. */
  public SegmentList segments() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** First readable offset. */
  public long logStartOffset() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Readers end here, exclusive. */
  public long highWatermark() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** The high watermark, or below it the first offset of an open transaction of a log that Kafka wrote. */
  public long lastStableOffset() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Next offset to be written. */
  public long logEndOffset() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Everything below is durable. */
  public long recoveryPoint() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Bytes of all {@code .log} files. */
  public long sizeBytes() {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * Appends what the encoder holds as one batch at the log end, rolling first where the policy says so. Not durable before {@link #flush}.
   *
   * @throws dev.rowlog.engine.error.InvalidRecordException for a record without key in a compacted log
   * @throws dev.rowlog.engine.error.LogClosedException after {@link #close} or a failed sync
   */
  public AppendResult append(RecordBatchEncoder batch) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Closes the active segment and starts a new one at the log end; nothing where it is empty. */
  public void roll() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Makes everything appended so far durable, new segments' names too; moves the recovery point. */
  public void flush() {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * Cuts every record at or beyond {@code offset}; the log end becomes {@code offset}, also where it lies in a gap.
   *
   * @param offset at or above the high watermark
   */
  public void truncateTo(long offset) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Carries out a prepared replacement of closed segments (the cleaner's swap) and publishes the new list. */
  public void replaceSegments(SegmentReplacement replacement) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Deletes oldest segments that the retention rules let go, never beyond the high watermark; returns how many. */
  public int deleteOldSegments() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Unlinks what was replaced or deleted longer than {@code file.delete.delay.ms} ago; returns how many segments. */
  public int deleteExpiredFiles() {
    throw new UnsupportedOperationException("skeleton");
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("skeleton");
  }
}
