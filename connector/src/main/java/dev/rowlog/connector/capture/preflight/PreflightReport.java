package dev.rowlog.connector.capture.preflight;

import dev.rowlog.connector.catalog.Relation;
import dev.rowlog.connector.catalog.SourceConnections;
import dev.rowlog.connector.catalog.TableSchema;
import dev.rowlog.connector.change.TableId;
import java.util.List;

/**
 * Everything that a preflight found, at once.
 *
 * @param accepted relations that can be mirrored, by schema and name; empty where the source as a whole cannot
 * @param publicationSql what would bring the publication into the shape that we need; our role may run it unless a finding says otherwise
 * @param connections to the server that was looked at; null where it was not reached
 */
public record PreflightReport(
    List<Finding> findings, List<Relation> accepted, List<String> publicationSql, SourceConnections connections) {
  public PreflightReport {
    findings = List.copyOf(findings);
    accepted = List.copyOf(accepted);
    publicationSql = List.copyOf(publicationSql);
  }

  /** True where capture can begin: what is refused are single tables, and some are left. */
  public boolean isPassed() {
    return findings.stream().allMatch(finding -> finding.refusedTable().isPresent()) && !accepted.isEmpty();
  }

  public List<TableSchema> tables() {
    return accepted.stream().map(Relation::schema).toList();
  }

  /** Tables that are left out, each once. */
  public List<TableId> refused() {
    return findings.stream().flatMap(finding -> finding.refusedTable().stream()).distinct().sorted().toList();
  }
}
