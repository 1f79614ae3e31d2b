package dev.rowlog.engine.inspect;

import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.replay.DirectoryReader;
import java.util.List;

/**
 * Checks every invariant of a log's files. Changes nothing; finds all that is wrong rather than the first thing.
 */
public final class LogVerifier {

  /** Checks beyond those that always hold. */
  public enum Option {
    /** The writer has stopped: no {@code .cleaned}, {@code .swap} or {@code .deleted} file may be left, nothing beyond the high watermark. */
    CLOSED,
    /** A complete pass has just run: below the cleaner checkpoint each key is there once. */
    JUST_CLEANED
  }

  private LogVerifier() {}

  /** Every log of the directory. */
  public static List<VerificationReport> verifyAll(DirectoryReader reader, Option... options) {
    throw new UnsupportedOperationException("skeleton");
  }

  public static VerificationReport verify(DirectoryReader reader, TopicPartition log, Option... options) {
    throw new UnsupportedOperationException("skeleton");
  }
}
