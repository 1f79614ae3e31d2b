package dev.rowlog.engine.cleaner;

import dev.rowlog.engine.cleaner.io.CleaningAbortedException;
import dev.rowlog.engine.cleaner.io.PassIo;
import dev.rowlog.engine.cleaner.io.StopSignal;
import dev.rowlog.engine.cleaner.io.Throttle;
import dev.rowlog.engine.cleaner.map.KeyHash;
import dev.rowlog.engine.cleaner.map.KeyedHash;
import dev.rowlog.engine.cleaner.pass.CleanerMemory;
import dev.rowlog.engine.cleaner.pass.CleaningPass;
import dev.rowlog.engine.cleaner.pass.PassTally;
import dev.rowlog.engine.cleaner.plan.CleanerSelection;
import dev.rowlog.engine.cleaner.plan.DirtyRange;
import dev.rowlog.engine.error.LogClosedException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.log.HeldSegments;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.SegmentList;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.directory.LogDirectory;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.segment.BatchScanner;
import dev.rowlog.engine.segment.Segment;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;

/**
 * Cleans logs: picks the dirtiest eligible one, makes a pass, writes the checkpoint (Kafka {@code LogCleaner}). One
 * pass at a time; any thread.
 *
 * <p>A failed pass leaves the log as it was, or with some groups of segments cleaned, is kept with its reason, and
 * is tried again after a wait that doubles; the other logs go on. An {@link Error} is nobody's to go on after: it leaves
 * the round, and ends the background thread. A pass never goes beyond the high watermark.
 */
public final class LogCleaner implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger(LogCleaner.class.getName());

  private final LogDirectory directory;
  private final CleanerConfig config;
  private final InstantSource clock;
  private final LongSupplier nanoClock;
  private final CleanerCheckpoints checkpoints;
  private final KeyHash keyHash;
  private final DirtyRanges ranges;
  private CleanerMemory memory;
  private final StopSignal stop = new StopSignal();
  private Throttle throttle;
  private final Map<TopicPartition, CleaningFailure> failures = new ConcurrentHashMap<>();
  private final AtomicReference<CleanerTotals> totals = new AtomicReference<>(CleanerTotals.NONE);
  /** Held by whoever makes a round; guards everything but {@link #failures}, {@link #totals} and {@link #stop}. */
  private final ReentrantLock pass = new ReentrantLock();

  private final CleanerThread thread;
  private boolean started;

  /**
   * @param nanoClock elapsed time
   * @param random seeds the hash of keys
   * @param lagBytes at the end of each log: no more than those wait for {@code min.compaction.lag.ms}
   */
  public LogCleaner(
      LogDirectory directory, CleanerConfig config, InstantSource clock, LongSupplier nanoClock,
      RandomGenerator random, ToLongFunction<TopicPartition> lagBytes) {
    this(directory, config, clock, nanoClock, new KeyedHash(random), lagBytes);
  }

  LogCleaner(LogDirectory directory, CleanerConfig config, InstantSource clock, LongSupplier nanoClock,
      KeyHash keyHash, ToLongFunction<TopicPartition> lagBytes) {
    this.directory = directory;
    this.config = config;
    this.clock = clock;
    this.nanoClock = nanoClock;
    this.checkpoints = new CleanerCheckpoints(directory);
    this.ranges = new DirtyRanges(directory, checkpoints, lagBytes);
    this.keyHash = keyHash;
    this.memory = new CleanerMemory(config, keyHash);
    this.throttle = new Throttle(config.ioMaxBytesPerSecond(), nanoClock, stop::await);
    this.thread = new CleanerThread(this::backgroundRound, config.backoffMs(), stop);
  }

  /**
   * One round: cleans the log with the highest dirty ratio among the eligible; empty where none is. Then deletes
   * old segments.
   */
  public Optional<CleaningReport> runOnce() {
    pass.lock();
    try {
      ensureOpen();
      long nowMs = clock.millis();
      totals.updateAndGet(before -> before.lookedAt(nowMs));
      Optional<CleaningReport> report = cleanNext();
      deleteOldSegments();
      return report;
    } catch (CleaningAbortedException e) {
      return Optional.empty();
    } finally {
      pass.unlock();
    }
  }

  /** The best log whose pass succeeds: one that fails is left out and the next one tried. */
  private Optional<CleaningReport> cleanNext() {
    Set<TopicPartition> leftOut = new HashSet<>();
    while (true) {
      long nowMs = clock.millis();
      Optional<CleanerSelection.Candidate<PartitionLog>> chosen = CleanerSelection.choose(candidates(leftOut, nowMs),
          nowMs);
      if (chosen.isEmpty()) {
        return Optional.empty();
      }
      PartitionLog log = chosen.get().subject();
      try {
        Round round = cleanOnce(log, chosen.get().range(), nowMs);
        if (round.stoppedByTransaction() && round.report().endOffset() == round.report().firstDirtyOffset()) {
          throw new UnsupportedFormatException(
              log.topicPartition() + " holds a transaction at or after offset " + round.report().endOffset()
                  + "; logs with transactions are cleaned only below the first one");
        }
        failures.remove(log.topicPartition());
        return Optional.of(round.report());
      } catch (CleaningAbortedException e) {
        throw e;
      } catch (RuntimeException e) {
        failed(log.topicPartition(), e);
        leftOut.add(log.topicPartition());
      }
    }
  }

  private List<CleanerSelection.Candidate<PartitionLog>> candidates(Set<TopicPartition> leftOut, long nowMs) {
    List<CleanerSelection.Candidate<PartitionLog>> candidates = new ArrayList<>();
    for (PartitionLog log : directory.logs()) {
      TopicPartition name = log.topicPartition();
      CleaningFailure failure = failures.get(name);
      boolean waits = failure != null && nowMs < failure.retryAtMs();
      if (!log.config().cleanupPolicy().compacts() || waits || leftOut.contains(name)) {
        continue;
      }
      try {
        candidates.add(
            new CleanerSelection.Candidate<>(
                log,
                ranges.of(log, nowMs),
                log.config().minCleanableDirtyRatio(),
                log.config().maxCompactionLagMs()));
      } catch (RuntimeException e) {
        failed(name, e);
        leftOut.add(name);
      }
    }
    return candidates;
  }

  /** What could be cleaned in each compacted log now. Waits for no pass; changes nothing. */
  public Map<TopicPartition, DirtyRange> dirtyRanges() {
    return ranges.all(clock.millis());
  }

  /** Since the engine was opened. Waits for no pass. */
  public CleanerTotals totals() {
    return totals.get().withThreadDead(thread.isDead() && !stop.isGiven());
  }

  private void failed(TopicPartition log, Throwable reason) {
    totals.updateAndGet(CleanerTotals::plusFailure);
    CleaningFailure failure = failures.compute(log,
        (name, previous) -> CleaningFailure.after(previous, reason, clock.millis(), config.backoffMs()));
    LOGGER.log(
        Level.WARNING,
        "cleaning of " + log + " failed (" + failure.attempts() + " in a row), it is tried again: "
            + reason.getMessage(),
        reason);
  }

  private record Round(CleaningReport report, boolean stoppedByTransaction) {}

  private Round cleanOnce(PartitionLog log, DirtyRange range, long nowMs) {
    long startNanos = nanoClock.getAsLong();
    TopicPartition name = log.topicPartition();
    PassIo io = new PassIo(throttle, stop);
    io.checkNotStopped();
    CleaningPass work = new CleaningPass(
        log, range, nowMs, directory.disk(), memory, io, offset -> checkpoints.tombstonesRemovedUpTo(name, offset));
    CleaningPass.Result result;
    try (HeldSegments held = HeldSegments.of(log)) {
      result = work.run(held.segments());
    }
    checkpoints.cleanedUpTo(name, result.endOffset());
    PassTally tally = result.tally();
    CleaningReport report = new CleaningReport(
        name,
        range.firstDirtyOffset(),
        result.endOffset(),
        tally.recordsIn(),
        tally.recordsOut(),
        io.bytesRead(),
        io.bytesWritten(),
        tally.bytesBefore(),
        tally.bytesAfter(),
        tally.tombstonesKept(),
        tally.tombstonesRemoved(),
        tally.recordsWithoutKey(),
        0,
        result.mapUse(),
        nanoClock.getAsLong() - startNanos);
    long doneMs = clock.millis();
    totals.updateAndGet(before -> before.plus(report, doneMs));
    LOGGER.log(Level.DEBUG, "cleaned {0}", report);
    return new Round(report, result.stoppedByTransaction());
  }

  /** Of every log, compacted or not; a log that fails does not keep the others from theirs. */
  private void deleteOldSegments() {
    for (PartitionLog log : directory.logs()) {
      if (!log.isWritable()) {
        continue;
      }
      try {
        log.deleteOldSegments();
        log.deleteExpiredFiles();
      } catch (RuntimeException e) {
        LOGGER.log(Level.WARNING, "deleting old segments of " + log.topicPartition() + " failed: " + e.getMessage(), e);
      }
    }
  }

  /**
   * A complete pass over everything before the active segment and the high watermark, whatever the ratio; more than
   * one map's worth is done in several rounds.
   *
   * <p>{@code min.compaction.lag.ms} still holds, and nothing is cleaned beyond the first transactional batch of a
   * log that Kafka wrote.
   *
   * @throws dev.rowlog.engine.error.LogException where it failed; rounds before stay done
   * @throws LogClosedException where the cleaner is closed
   */
  public CleaningReport clean(PartitionLog log) {
    pass.lock();
    try {
      ensureOpen();
      CleaningReport report = cleanCompletely(log);
      failures.remove(log.topicPartition());
      return report.withRecordsLeftOut(countRecordsFrom(log, report.endOffset()));
    } catch (CleaningAbortedException e) {
      throw new LogClosedException("cleaning of " + log.topicPartition() + " was ended: the cleaner is being closed",
          e);
    } finally {
      pass.unlock();
    }
  }

  /**
   * As {@link #clean(PartitionLog)}, with other memory and another rate for this pass: they come on top of the cleaner's own.
   *
   * @param once {@code enable} and {@code backoffMs} have no meaning here
   */
  public CleaningReport clean(PartitionLog log, CleanerConfig once) {
    pass.lock();
    CleanerMemory ownMemory = memory;
    Throttle ownThrottle = throttle;
    try {
      memory = new CleanerMemory(once, keyHash);
      throttle = new Throttle(once.ioMaxBytesPerSecond(), nanoClock, stop::await);
      return clean(log);
    } finally {
      memory = ownMemory;
      throttle = ownThrottle;
      pass.unlock();
    }
  }

  private CleaningReport cleanCompletely(PartitionLog log) {
    long nowMs = clock.millis();
    DirtyRange range = ranges.of(log, nowMs);
    // What rolls meanwhile is left to the next pass, or a busy log would never end.
    long goal = range.firstUncleanableOffset();
    Round round = cleanOnce(log, range, nowMs);
    CleaningReport report = round.report();
    while (report.endOffset() < goal && !round.stoppedByTransaction()) {
      long before = report.endOffset();
      round = cleanOnce(log, ranges.of(log, nowMs), nowMs);
      report = report.then(round.report());
      if (report.endOffset() <= before) {
        throw new IllegalStateException(
            "cleaning of " + log.topicPartition() + " does not get beyond offset " + before);
      }
    }
    return report;
  }

  private long countRecordsFrom(PartitionLog log, long offset) {
    long records = 0;
    try (HeldSegments held = HeldSegments.of(log)) {
      SegmentList segments = held.segments();
      for (Segment segment : segments.all().subList(segments.floorIndex(offset), segments.all().size())) {
        BatchScanner batches = new BatchScanner(segment.logFile(), 0, segment.sizeBytes(), memory.bufferBytes());
        while (batches.next()) {
          RecordBatch batch = batches.batch();
          records += batch.baseOffset() >= offset ? batch.recordCount() : 0;
        }
      }
    }
    return records;
  }

  /** Logs whose last pass failed, with the reason. */
  public Map<TopicPartition, CleaningFailure> failures() {
    return Map.copyOf(failures);
  }

  private void ensureOpen() {
    if (stop.isGiven()) {
      throw new LogClosedException("the log cleaner is closed", null);
    }
  }

  /**
   * Starts the background thread: rounds, with {@code log.cleaner.backoff.ms} between two that found nothing. Does
   * nothing where {@code log.cleaner.enable} is false, or when called again.
   */
  public void start() {
    pass.lock();
    try {
      ensureOpen();
      if (config.enable() && !started) {
        started = true;
        thread.start();
      }
    } finally {
      pass.unlock();
    }
  }

  private boolean backgroundRound() {
    try {
      return runOnce().isPresent();
    } catch (LogClosedException e) {
      return false;
    } catch (RuntimeException e) {
      // What no log is to blame for, such as a checkpoint that cannot be written: the thread lives on.
      LOGGER.log(Level.ERROR, "a round of the log cleaner failed, it is tried again: " + e.getMessage(), e);
      return false;
    }
  }

  /** True once {@link #close} was called: a pass in work is on its way out. */
  boolean isStopping() {
    return stop.isGiven();
  }

  /** Stops after the segment in work, leaving nothing half done. */
  @Override
  public void close() {
    stop.give();
    thread.join();
    // Whoever makes a round in a thread of its own notices the signal, too.
    pass.lock();
    pass.unlock();
  }
}
