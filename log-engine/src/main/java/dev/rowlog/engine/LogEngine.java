package dev.rowlog.engine;

import dev.rowlog.engine.cleaner.LogCleaner;
import dev.rowlog.engine.commit.CommittedEnds;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.log.LogConfig;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.replay.LogCursor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * An open data directory: its logs, their commit log and their cleaner. Holds the directory's lock.
 *
 * <p>Appends and commits: one writer thread. Everything else: any thread.
 */
public final class LogEngine implements AutoCloseable {

  /** The internal compacted log of commits. */
  public static final String COMMITS_TOPIC = "__rowlog_commits";

  private LogEngine() {}

  /**
   * Opens the directory: reads the last commit, recovers each log, cuts every governed one to its committed end.
   *
   * @param nanoClock elapsed time
   */
  public static LogEngine open(EngineOptions options, Disk disk, InstantSource clock, LongSupplier nanoClock, RandomGenerator random) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Every log, the internal ones too, sorted. */
  public List<TopicPartition> partitions() {
    throw new UnsupportedOperationException("skeleton");
  }

  public Optional<PartitionLog> log(TopicPartition partition) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Logs that could not be opened (corruption below the committed end), with the reason; the others go on. */
  public Map<TopicPartition, RuntimeException> failedLogs() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** The log of that name, created with this configuration where it is missing, else set to it. */
  public PartitionLog createIfMissing(TopicPartition partition, LogConfig config) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** What the last commit published. */
  public CommittedEnds committed() {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * Makes records and position durable and visible together: syncs the touched logs in parallel, appends and syncs one commit batch,
   * publishes the ends in a single write.
   *
   * @param ends exclusive end offset of each touched log at the commit's boundary; may lie below the log's end
   * @param position the writer's own bytes, given back by {@link CommittedEnds#position}
   * @return what was published
   * @throws dev.rowlog.engine.error.LogException where a sync failed: nothing was published; cut and go on, or open again
   */
  public CommittedEnds commit(Map<TopicPartition, Long> ends, byte[] position) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Cuts every governed log to its committed end: what an unfinished transaction left is gone. */
  public void truncateToCommitted() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Waits until a published commit fulfils the condition; empty after the timeout. */
  public Optional<CommittedEnds> awaitCommitted(Predicate<CommittedEnds> condition, Duration timeout) throws InterruptedException {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * A cursor from {@code offset} on.
   *
   * @throws dev.rowlog.engine.error.UnknownTopicException where there is no such log
   */
  public LogCursor cursor(TopicPartition partition, long offset) {
    throw new UnsupportedOperationException("skeleton");
  }

  public LogCleaner cleaner() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Stops the cleaner, closes every log cleanly, gives the lock back. */
  @Override
  public void close() {
    throw new UnsupportedOperationException("skeleton");
  }
}
