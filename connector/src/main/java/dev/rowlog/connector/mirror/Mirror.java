package dev.rowlog.connector.mirror;

import dev.rowlog.connector.change.Lsn;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A running mirror, as servers see it. Any thread. */
public interface Mirror {

  MirrorStatus status();

  /**
   * Empty where a heartbeat came round through the logs in time and the stream flows; else why not, in one sentence.
   */
  Optional<String> notReady();

  /**
   * Waits until everything that the source committed up to {@code lsn} is committed in the logs, also on an idle
   * database.
   *
   * @return false where the time ran out first
   * @throws IllegalStateException where the mirror ended, with its last words
   */
  boolean awaitCommitted(Lsn lsn, Duration timeout) throws InterruptedException;

  /** Its figures in Prometheus' text format. */
  String metrics();

  /**
   * Where the source writes next.
   *
   * @throws IllegalStateException where it does not answer
   */
  Lsn currentLsn();

  /**
   * Cleans logs now, each for itself.
   *
   * @throws dev.rowlog.engine.error.LogException for an unknown topic or key
   */
  List<CleaningResult> clean(CleanRequest request);
}
