package dev.rowlog.engine.log;

import dev.rowlog.engine.error.DiskFailureException;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.error.LogClosedException;
import dev.rowlog.engine.error.LogException;
import dev.rowlog.engine.error.OffsetOutOfRangeException;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.log.directory.LogDirectory;
import dev.rowlog.engine.log.policy.RetentionPolicy;
import dev.rowlog.engine.log.policy.RollPolicy;
import dev.rowlog.engine.log.replacement.SegmentReplacement;
import dev.rowlog.engine.record.RecordBatchEncoder;
import dev.rowlog.engine.segment.Segment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * One log: an append-only list of segments with the offsets that bound it (Kafka {@code UnifiedLog}).
 *
 * <p>Invariant: log start ≤ high watermark ≤ log end; offsets are never used twice below a published high watermark.
 * Appends, roll, flush, truncate, replace: any thread, one at a time under the log's lock. Reads: any thread, over
 * {@link #segments}. A failed sync closes the log for writing; reads go on.
 */
public final class PartitionLog implements AutoCloseable {
  private final PartitionFolder folder;
  private final Surroundings surroundings;
  private final TopicId topicId;
  private final int leaderEpoch;
  private final RecoveryReport recoveryReport;
  private final LogSegments segments;
  private final long openTransactionOffset;
  private final Object lock = new Object();

  private volatile LogConfig config;
  private volatile long logStartOffset;
  private volatile long logEndOffset;
  private volatile long syncedEndOffset;
  private volatile boolean closed;
  private volatile Throwable failure;

  /** What a log asks of its directory. */
  @FunctionalInterface
  public interface RecoveryPointKeeper {
    /** Returns when the checkpoint on the disk says that the log is durable up to its recovery point, as it is now. */
    void keep(PartitionLog log);
  }

  /** What a log is given by its directory. */
  public record Surroundings(
      InstantSource clock, HighWatermark highWatermark, RecoveryPointKeeper recoveryPointKeeper) {}

  /** The log of a folder that was opened; it takes over the segments. */
  public PartitionLog(PartitionFolder folder, LogConfig config, Surroundings surroundings, OpenedLog opened) {
    this.folder = folder;
    this.surroundings = surroundings;
    this.topicId = folder.topicId();
    this.leaderEpoch = folder.leaderEpoch();
    this.recoveryReport = opened.report();
    this.config = config;
    // What an unclean stop has left may have names that were never synced.
    this.segments = new LogSegments(
        folder.disk(), folder.path(), opened.segments(), !opened.report().cleanStop(),
        surroundings.clock().millis());
    this.logStartOffset = opened.logStartOffset();
    this.logEndOffset = opened.logEndOffset();
    this.syncedEndOffset = opened.recoveryPoint();
    this.openTransactionOffset = opened.openTransactionOffset();
  }

  private long nowMs() {
    return surroundings.clock().millis();
  }

  public TopicPartition topicPartition() {
    return folder.partition();
  }

  public TopicId topicId() {
    return topicId;
  }

  public Path directory() {
    return folder.path();
  }

  public LogConfig config() {
    return config;
  }

  /** Takes effect from the next operation on; not kept on the disk ({@link LogDirectory#storeConfig} does). */
  public void reconfigure(LogConfig newConfig) {
    config = newConfig;
  }

  /** What its opening found and did. */
  public RecoveryReport recoveryReport() {
    return recoveryReport;
  }

  /**
   * The segments as they are now; hold each ({@code retain}) before reading it, and skip to a fresh list where that
   * fails.
   */
  public SegmentList segments() {
    return segments.list();
  }

  /** First readable offset. */
  public long logStartOffset() {
    return logStartOffset;
  }

  /** Readers end here, exclusive. */
  public long highWatermark() {
    long logEnd = logEndOffset;
    return Math.max(Math.min(logStartOffset, logEnd), Math.min(logEnd, surroundings.highWatermark().value(logEnd)));
  }

  /** The high watermark, or below it the first offset of an open transaction of a log that Kafka wrote. */
  public long lastStableOffset() {
    return Math.min(highWatermark(), openTransactionOffset);
  }

  /** Next offset to be written. */
  public long logEndOffset() {
    return logEndOffset;
  }

  /** Everything below is durable; at most the high watermark, since what lies beyond may be cut and written anew. */
  public long recoveryPoint() {
    return Math.min(syncedEndOffset, highWatermark());
  }

  /** Bytes of all {@code .log} files. */
  public long sizeBytes() {
    return segments().all().stream().mapToLong(Segment::sizeBytes).sum();
  }

  /**
   * Appends what the encoder holds as one batch at the log end, rolling first where the policy says so. Not durable
   * before {@link #flush}.
   *
   * @throws dev.rowlog.engine.error.RecordTooLargeException for a batch that passes the encoder's bound once it is
   *     compressed
   * @throws InvalidRecordException for a record without key in a compacted log, or a batch without records
   * @throws DiskFailureException where the disk refuses, for want of space for example: the log is as before, and may
   *     be tried again
   * @throws LogClosedException after {@link #close} or a failed sync
   */
  public AppendResult append(RecordBatchEncoder batch) {
    synchronized (lock) {
      ByteBuffer bytes = finish(batch);
      if (isDueToRoll(batch, bytes)) {
        rollActive();
      }
      return append(batch, bytes);
    }
  }

  /**
   * As {@link #append}, but only to this segment: empty, with nothing done, where it is no longer the active one or has
   * to be rolled first. For a writer whose batch depends on what stands before it in the segment.
   */
  public Optional<AppendResult> appendTo(Segment segment, RecordBatchEncoder batch) {
    synchronized (lock) {
      ByteBuffer bytes = finish(batch);
      return segment != segments.active() || isDueToRoll(batch, bytes)
          ? Optional.empty()
          : Optional.of(append(batch, bytes));
    }
  }

  private ByteBuffer finish(RecordBatchEncoder batch) {
    if (batch.recordCount() == 0) {
      throw new InvalidRecordException("a batch without records was to be appended to " + topicPartition());
    }
    ensureWritable();
    if (config.cleanupPolicy().compacts() && batch.hasRecordWithoutKey()) {
      throw new InvalidRecordException(
          "a record without key cannot be appended to " + topicPartition() + ": the log is compacted by key");
    }
    return batch.finish(logEndOffset, leaderEpoch);
  }

  private boolean isDueToRoll(RecordBatchEncoder batch, ByteBuffer bytes) {
    RollPolicy.NextBatch next = new RollPolicy.NextBatch(
        logEndOffset + batch.lastOffsetDelta(), bytes.remaining(), batch.maxTimestamp());
    return segments.isDueToRoll(config, next, nowMs());
  }

  private AppendResult append(RecordBatchEncoder batch, ByteBuffer bytes) {
    long baseOffset = logEndOffset;
    Segment active = segments.active();
    long position = active.sizeBytes();
    active.append(bytes);
    logEndOffset = baseOffset + batch.lastOffsetDelta() + 1;
    return new AppendResult(baseOffset, logEndOffset, active.baseOffset(), position);
  }

  private void ensureWritable() {
    if (closed) {
      throw new LogClosedException("log " + topicPartition() + " is closed", null);
    }
    if (failure != null) {
      throw new LogClosedException(
          "log " + topicPartition() + " takes no writes after a failure (" + failure.getMessage()
              + "); open it again from disk",
          failure);
    }
  }

  /** Closes the active segment and starts a new one at the log end; nothing where it is empty. */
  public void roll() {
    synchronized (lock) {
      ensureWritable();
      if (segments.active().sizeBytes() > 0) {
        rollActive();
      }
    }
  }

  private void rollActive() {
    segments.roll(logEndOffset, config.indexSettings(), nowMs());
  }

  /**
   * Makes everything appended so far durable, new segments' names too; moves the recovery point.
   *
   * @throws DiskFailureException where a sync failed: the log takes no more writes, since nobody knows what the disk
   *     has kept
   */
  public void flush() {
    synchronized (lock) {
      ensureWritable();
      sync();
    }
  }

  private void sync() {
    long end = logEndOffset;
    try {
      segments.sync(Math.min(syncedEndOffset, end));
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    }
    syncedEndOffset = end;
  }

  /**
   * Cuts every record at or beyond {@code offset}; the log end becomes {@code offset}, also where it lies in a gap.
   * Nothing where the log ends before it.
   *
   * @param offset at or above the high watermark
   * @throws OffsetOutOfRangeException below the high watermark
   */
  public void truncateTo(long offset) {
    synchronized (lock) {
      ensureWritable();
      if (offset >= logEndOffset) {
        return;
      }
      if (offset < highWatermark()) {
        throw new OffsetOutOfRangeException(topicPartition().toString(), offset, highWatermark(), logEndOffset);
      }
      try {
        cut(offset);
      } catch (RuntimeException | Error e) {
        failure = e;
        throw e;
      }
    }
  }

  private void cut(long offset) {
    syncedEndOffset = Math.min(syncedEndOffset, offset);
    logEndOffset = offset;
    segments.cutTo(offset);
    if (segments.active().nextOffset() < offset) {
      // The offset lies in a gap: the name of an empty segment keeps it as the log end.
      rollActive();
    }
  }

  /**
   * Carries out a prepared replacement of closed segments (the cleaner's swap) and publishes the new list. Sources
   * that retention has deleted meanwhile are left out; where none is left, the outputs are deleted. Flushes the log
   * first.
   *
   * @throws DiskFailureException where the disk refuses: if the log can still be written to then, nothing has changed
   *     and the cleaned segments are the caller's to delete; else an opening finishes it
   */
  public void replaceSegments(SegmentReplacement replacement) {
    synchronized (lock) {
      ensureWritable();
      List<Segment> sources = segments.remainingSources(replacement);
      if (sources.isEmpty()) {
        for (Segment output : replacement.cleaned()) {
          output.delete();
          output.close();
        }
        return;
      }
      // The records for whose sake older ones are left out must outlive a crash that the swap outlives.
      sync();
      // Above the recovery point a gap between two segments means lost bytes (LogOpening); below, that a cleaning
      // left it.
      surroundings.recoveryPointKeeper().keep(this);
      swap(new SegmentReplacement(sources, replacement.cleaned()));
    }
  }

  private void swap(SegmentReplacement replacement) {
    try {
      segments.commit(replacement);
    } catch (DiskFailureException e) {
      try {
        segments.withdrawReplacement();
      } catch (DiskFailureException withdrawal) {
        e.addSuppressed(withdrawal);
        failure = e;
      }
      throw e;
    }
    try {
      segments.complete(replacement, nowMs());
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    }
  }

  /** Deletes oldest segments that the retention rules let go, never beyond the high watermark; returns how many. */
  public int deleteOldSegments() {
    synchronized (lock) {
      ensureWritable();
      int count = RetentionPolicy.deletable(
          segments.retentionCandidates(logEndOffset), config, logStartOffset, highWatermark(), nowMs());
      if (count == segments().all().size()) {
        rollActive();
      }
      for (int i = 0; i < count; i++) {
        // First the bound, then the segment: no reader is promised an offset that is gone.
        logStartOffset = Math.max(logStartOffset, segments().all().get(1).baseOffset());
        segments.retireOldest(nowMs());
      }
      return count;
    }
  }

  /** Unlinks what was replaced or deleted longer than {@code file.delete.delay.ms} ago; returns how many segments. */
  public int deleteExpiredFiles() {
    synchronized (lock) {
      return segments.deleteRetiredUpTo(nowMs() - config.fileDeleteDelayMs());
    }
  }

  /** True while it takes writes: neither closed nor failed. */
  public boolean isWritable() {
    return !closed && failure == null;
  }

  /** True after a sync or a replacement failed: what the disk holds is only known after an opening. */
  public boolean hasFailed() {
    return failure != null;
  }

  /**
   * Makes everything durable and closes the files; readers finish with the segments that they hold. Fine to call
   * twice.
   */
  @Override
  public void close() {
    synchronized (lock) {
      if (closed) {
        return;
      }
      LogException problem = null;
      if (failure == null) {
        try {
          segments.active().becomeInactive();
          flush();
          // Nobody is left to wait the delay for: a reader beside the process holds the files that it reads.
          segments.deleteRetiredUpTo(Long.MAX_VALUE);
        } catch (LogException e) {
          failure = e;
          problem = e;
        }
      }
      closed = true;
      LogException closing = problem == null
          ? new LogClosedException("closing " + topicPartition() + " failed", null)
          : problem;
      segments.close(closing);
      if (problem != null || closing.getSuppressed().length > 0) {
        throw closing;
      }
    }
  }
}
