package dev.rowlog.engine.log;

/**
 * Where readers end: the first offset that they must not see. Any thread.
 *
 * <p>A log without a commit log follows its end ({@link #followingLogEnd}); a governed log reads the last published
 * commit.
 */
@FunctionalInterface
public interface HighWatermark {
  /**
   * @param logEndOffset next offset to be written
   * @return exclusive bound, at most {@code logEndOffset}
   */
  long value(long logEndOffset);

  static HighWatermark followingLogEnd() {
    return logEndOffset -> logEndOffset;
  }
}
