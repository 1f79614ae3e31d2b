package dev.rowlog.engine.commit;

import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.error.LogClosedException;
import dev.rowlog.engine.error.LogException;
import dev.rowlog.engine.log.AppendResult;
import dev.rowlog.engine.log.HighWatermark;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.RecordBatchEncoder;
import dev.rowlog.engine.segment.Segment;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The internal log of commits: one batch a commit, durable before it is published (docs/format/commit-log.md).
 *
 * <p>Invariant: what is published is durable in the touched logs and here. Commits: one at a time, under this object's lock; everything
 * else: any thread. Order of a commit, each step only after the one before: sync the touched logs, append the batch, sync it, publish.
 */
public final class CommitLog implements AutoCloseable {
  /** The topic's name; a directory that has it is governed by its commits. */
  public static final String TOPIC = "__rowlog_commits";

  public static final TopicPartition PARTITION = TopicPartition.of(TOPIC);

  /** Not governed: consumers commit on their own. */
  private static final String CONSUMER_OFFSETS = "__consumer_offsets";

  /** A sync is nearly all wait: eight at once take about a quarter of the time of one after the other. */
  private static final int SYNC_THREADS = 8;

  /** Up to which every commit stays as it was made, so that a reader may follow them one by one. */
  public static final CommitRetention RETENTION = new CommitRetention(Duration.ofHours(24), 1L << 30);

  /** A segment of the commit log is all that an opening reads. */
  private static final int MAX_SEGMENT_BYTES = 16 << 20;

  /** Only closed segments are compacted. */
  private static final Duration MAX_SEGMENT_AGE = Duration.ofHours(1);

  private final PartitionLog log;
  private final Watermark watermark;
  private final InstantSource clock;
  private final PublishedEnds published;
  private final ParallelTasks syncs;
  private final RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);

  /** The newest end of each log, those of a commit in work too; guarded by this. */
  private final SortedMap<TopicPartition, CommitRecord.End> ends = new TreeMap<>();

  /** Why no further commit is taken; guarded by this. */
  private Throwable failure;

  private CommitLog(
      PartitionLog log, Watermark watermark, CommitState state, ParallelTasks syncs, InstantSource clock) {
    this.log = log;
    this.watermark = watermark;
    this.published = new PublishedEnds(state.committed());
    this.ends.putAll(state.ends());
    this.syncs = syncs;
    this.clock = clock;
  }

  /**
   * Where readers of the commit log itself end: behind the last published batch, so that a commit is seen in the log no earlier than it holds.
   * Made before the log is opened.
   */
  public static final class Watermark implements HighWatermark {
    private volatile long durableEnd = Long.MAX_VALUE;

    @Override
    public long value(long logEndOffset) {
      return Math.min(durableEnd, logEndOffset);
    }
  }

  /** Every log but the commit log itself and the consumer offsets. */
  public static boolean governs(TopicPartition log) {
    return !log.topic().equals(TOPIC) && !log.topic().equals(CONSUMER_OFFSETS);
  }

  /** Compacted, with the newest commits kept whole. */
  public static LogConfig config(LogConfig defaults, CommitRetention retention) {
    return defaults.with("cleanup.policy", "compact").with("compression.type", "uncompressed")
        .with("max.compaction.lag.ms", Long.toString(Long.MAX_VALUE))
        .with("min.compaction.lag.ms", Long.toString(retention.time().toMillis()))
        // It rolls itself, so that it knows which commit is a segment's first.
        .with("segment.ms", Long.toString(Long.MAX_VALUE));
  }

  /**
   * Takes commits from now on.
   *
   * @param log opened and recovered; made durable here, since a batch that a killed process did not sync counts from now on
   * @param watermark what the log was opened with
   * @param state what the log's batches say
   */
  public static CommitLog open(PartitionLog log, Watermark watermark, CommitState state, InstantSource clock) {
    log.flush();
    watermark.durableEnd = log.logEndOffset();
    return new CommitLog(log, watermark, state, ParallelTasks.open(SYNC_THREADS, "rowlog-sync"), clock);
  }

  public CommittedEnds committed() {
    return published.current();
  }

  /** The last published end of a governed log, read at each call. */
  public HighWatermark highWatermark(TopicPartition governed) {
    return logEndOffset -> Math.min(published.current().end(governed), logEndOffset);
  }

  /**
   * Makes records and position durable and visible together.
   *
   * @param ends exclusive end of each touched log; a batch's boundary, at or below the log's end, at or above its published end
   * @param position the writer's own bytes
   * @return what was published
   * @throws InvalidRecordException for an end outside that range: nothing was done
   * @throws LogException where a sync or the append failed: nothing was published, and no further commit is taken
   */
  public synchronized CommittedEnds commit(Map<PartitionLog, Long> ends, byte[] position) {
    Objects.requireNonNull(position, "position");
    ensureOpen();
    ends.forEach(this::ensureInRange);
    try {
      CommittedEnds next = write(ends, position);
      published.publish(next);
      // Only now: whoever reads a commit in the log finds the ends that it names published.
      watermark.durableEnd = log.logEndOffset();
      return next;
    } catch (RuntimeException | Error e) {
      // A failed sync may have dropped the bytes from the page cache: only what is read again from disk can be trusted.
      failure = e;
      throw e;
    }
  }

  private void ensureOpen() {
    if (failure != null) {
      throw new LogClosedException(
          "no commit is taken since an earlier one failed (" + failure.getMessage()
              + "); close the directory and open it again, it then goes on from the last commit",
          failure);
    }
  }

  private void ensureInRange(PartitionLog touched, long end) {
    TopicPartition name = touched.topicPartition();
    long from = published.current().end(name);
    if (!governs(name)) {
      throw new InvalidRecordException(name + " is not governed by commits: leave it out of the commit");
    }
    if (end < from || end > touched.logEndOffset()) {
      throw new InvalidRecordException(
          "a commit of " + name + " at offset " + end + " is outside " + from + " (its last commit) to "
              + touched.logEndOffset() + " (its end)");
    }
    if (!CommitBoundary.isAt(touched, end)) {
      throw new InvalidRecordException(
          "a commit of " + name + " at offset " + end
              + " would cut a batch in two: end the batch where the transaction ends");
    }
  }

  private CommittedEnds write(Map<PartitionLog, Long> ends, byte[] position) {
    List<Runnable> behind = new ArrayList<>();
    ends.forEach((touched, end) -> {
      if (touched.recoveryPoint() < end) {
        behind.add(touched::flush);
      }
    });
    syncs.run(behind);

    Map<TopicPartition, CommitRecord.End> touched = new TreeMap<>();
    ends.forEach((log, end) -> touched.put(
        log.topicPartition(), new CommitRecord.End(log.topicId(), end, log.topicPartition())));
    long commitOffset = append(touched, position);
    log.flush();
    return publishable(commitOffset, position);
  }

  /** Returns the offset of the commit. */
  private long append(Map<TopicPartition, CommitRecord.End> touched, byte[] position) {
    ends.putAll(touched);
    encode(new CommitRecord.Position(position, false), touched);
    if (isDueToRoll()) {
      log.roll();
    }
    while (true) {
      Segment active = log.segments().active();
      boolean isFirst = active.sizeBytes() == 0;
      // The first commit of a segment names every log: an opening, and a reader beside us, need no older segment.
      encode(new CommitRecord.Position(position, isFirst), isFirst ? ends : touched);
      // Not just append: somebody may have rolled the log since the look at it (a forced cleaning does).
      Optional<AppendResult> appended = log.appendTo(active, encoder);
      if (appended.isPresent()) {
        return appended.get().baseOffset();
      }
      // Rolled by another already, or its index is full.
      log.roll();
    }
  }

  private boolean isDueToRoll() {
    Segment active = log.segments().active();
    return active.sizeBytes() > 0
        && (active.sizeBytes() + encoder.sizeBytes() > Math.min(log.config().segmentBytes(), MAX_SEGMENT_BYTES)
            || clock.millis() - active.firstBatchTimestamp() >= MAX_SEGMENT_AGE.toMillis());
  }

  /** The records in the order of the logs' names: the same commit has the same bytes. */
  private void encode(CommitRecord.Position position, Map<TopicPartition, CommitRecord.End> logEnds) {
    long now = clock.millis();
    encoder.begin();
    encoder.add(now, position.key(), position.value(), position.headers());
    logEnds.values().forEach(end -> encoder.add(now, end.key(), end.value(), end.headers()));
  }

  private CommittedEnds publishable(long commitOffset, byte[] position) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    ends.forEach((log, end) -> offsets.put(log, end.endOffset()));
    return new CommittedEnds(commitOffset, offsets, position.clone());
  }

  /** True where every commit that was begun has been published: what the logs hold may be called clean. */
  public synchronized boolean isHealthy() {
    return failure == null;
  }

  /** The first published commit from now on that fulfils the condition; empty after the timeout, or when closed. */
  public Optional<CommittedEnds> await(Predicate<CommittedEnds> condition, Duration timeout)
      throws InterruptedException {
    return published.await(condition, TimeUnit.NANOSECONDS.convert(timeout));
  }

  /** Takes no further commit and lets waiters go; the log itself is its directory's to close. */
  @Override
  public synchronized void close() {
    if (failure == null) {
      failure = new LogClosedException("the commit log is closed", null);
    }
    published.close();
    syncs.close();
  }
}
