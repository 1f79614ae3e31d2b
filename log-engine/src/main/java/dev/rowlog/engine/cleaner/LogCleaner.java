package dev.rowlog.engine.cleaner;

import dev.rowlog.engine.log.CleanerConfig;
import dev.rowlog.engine.log.LogDirectory;
import dev.rowlog.engine.log.PartitionLog;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Cleans logs: picks the dirtiest eligible one, makes a pass, writes the checkpoint (Kafka {@code LogCleaner}). One pass at a time; any thread.
 */
public final class LogCleaner implements AutoCloseable {

  /**
   * @param nanoClock elapsed time
   * @param random seeds the hash of keys
   */
  public LogCleaner(LogDirectory directory, CleanerConfig config, InstantSource clock, LongSupplier nanoClock, RandomGenerator random) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** One round: cleans the log with the highest dirty ratio among the eligible; empty where none is. Then deletes old segments. */
  public Optional<CleaningReport> runOnce() {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * A complete pass over everything before the active segment and the high watermark, whatever the ratio; more than one map's worth is done
   * in several rounds.
   */
  public CleaningReport clean(PartitionLog log) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Starts the background thread: rounds, with {@code log.cleaner.backoff.ms} between two that found nothing. */
  public void start() {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Stops after the segment in work, leaving nothing half done. */
  @Override
  public void close() {
    throw new UnsupportedOperationException("skeleton");
  }
}
