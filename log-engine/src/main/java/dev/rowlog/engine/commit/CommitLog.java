package dev.rowlog.engine.commit;

import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.error.LogClosedException;
import dev.rowlog.engine.error.LogException;
import dev.rowlog.engine.log.HighWatermark;
import dev.rowlog.engine.log.LogConfig;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.RecordBatchEncoder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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

  private static final Duration KEPT_WHOLE = Duration.ofHours(24);

  private final PartitionLog log;
  private final Watermark watermark;
  private final InstantSource clock;
  private final PublishedEnds published;
  private final ParallelTasks syncs;
  private final RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);

  /** Why no further commit is taken; guarded by this. */
  private RuntimeException failure;

  private CommitLog(
      PartitionLog log, Watermark watermark, CommittedEnds committed, ParallelTasks syncs, InstantSource clock) {
    this.log = log;
    this.watermark = watermark;
    this.published = new PublishedEnds(committed);
    this.syncs = syncs;
    this.clock = clock;
  }

  /**
   * Where readers of the commit log itself end: behind the last durable batch, so that a commit is seen in the log no earlier than it holds.
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

  /** Compacted, with every commit kept whole for a day, so that a reader may follow them one by one. */
  public static LogConfig config(LogConfig defaults) {
    return defaults.with(Map.of("cleanup.policy", "compact", "compression.type", "uncompressed", "max.compaction.lag.ms",
        Long.toString(Long.MAX_VALUE))).with("min.compaction.lag.ms", Long.toString(KEPT_WHOLE.toMillis()));
  }

  /**
   * Takes commits from now on.
   *
   * @param log opened and recovered; made durable here, since a batch that a killed process did not sync counts from now on
   * @param watermark what the log was opened with
   * @param committed what the log's batches say
   */
  public static CommitLog open(PartitionLog log, Watermark watermark, CommittedEnds committed, InstantSource clock) {
    log.flush();
    watermark.durableEnd = log.logEndOffset();
    return new CommitLog(log, watermark, committed, ParallelTasks.open(SYNC_THREADS, "rowlog-sync"), clock);
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
      return next;
    } catch (RuntimeException e) {
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
          "a commit of " + name + " at offset " + end + " would cut a batch in two: end the batch where the transaction ends");
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

    List<CommitRecord> records = new ArrayList<>();
    records.add(new CommitRecord.Position(position.clone()));
    Map<TopicPartition, Long> next = new HashMap<>(published.current().ends());
    // In the order of names: the same commit has the same bytes.
    Map<TopicPartition, CommitRecord> byName = new TreeMap<>();
    ends.forEach((touched, end) -> {
      TopicPartition name = touched.topicPartition();
      byName.put(name, new CommitRecord.End(touched.topicId(), end, name));
      next.put(name, end);
    });
    records.addAll(byName.values());

    long commitOffset = log.append(encode(records)).baseOffset();
    log.flush();
    watermark.durableEnd = log.logEndOffset();
    return new CommittedEnds(commitOffset, next, position);
  }

  private RecordBatchEncoder encode(List<CommitRecord> records) {
    long now = clock.millis();
    encoder.begin();
    for (CommitRecord commitRecord : records) {
      encoder.add(now, commitRecord.key(), commitRecord.value(), List.of());
    }
    return encoder;
  }

  /** True where every commit that was begun has been published: what the logs hold may be called clean. */
  public synchronized boolean isHealthy() {
    return failure == null;
  }

  /** The first published commit from now on that fulfils the condition; empty after the timeout, or when closed. */
  public Optional<CommittedEnds> await(Predicate<CommittedEnds> condition, Duration timeout) throws InterruptedException {
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
