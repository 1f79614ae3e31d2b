package dev.rowlog.engine.inspect.verify;

import dev.rowlog.engine.log.TopicPartition;
import java.util.List;

/** What {@link LogVerifier} looked at in one log, and what it found wrong. */
public record VerificationReport(
    TopicPartition log, int segments, long batches, long records, long sizeBytes, List<Finding> findings) {
  public VerificationReport {
    findings = List.copyOf(findings);
  }

  public boolean isSound() {
    return findings.isEmpty();
  }
}
