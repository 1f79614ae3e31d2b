package dev.rowlog.connector.mirror;

import dev.rowlog.engine.cleaner.CleaningReport;
import dev.rowlog.engine.log.TopicPartition;

/**
 * What a requested pass did to one log.
 *
 * @param cpuNanos of the whole process during the pass
 */
public record CleanedLog(CleaningReport report, long cpuNanos) implements CleaningResult {
  @Override
  public TopicPartition log() {
    return report.log();
  }
}
