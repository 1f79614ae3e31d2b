package dev.rowlog.connector.session;

import dev.rowlog.connector.capture.preflight.Finding;
import dev.rowlog.connector.capture.preflight.Preflight;
import dev.rowlog.connector.capture.preflight.PreflightReport;
import dev.rowlog.connector.capture.preflight.Publication;
import dev.rowlog.connector.catalog.SourceConnections;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.options.SourceOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables that were named: checked by a preflight, and published. */
final class SourceTables {
  private static final Logger LOG = LoggerFactory.getLogger(SourceTables.class);
  private static final String INSUFFICIENT_PRIVILEGE = "42501";

  private SourceTables() {}

  /** The source as a whole cannot be captured now. */
  static final class PreflightFailedException extends RuntimeException {
    private final Finding.Kind kind;

    PreflightFailedException(Finding finding) {
      super(finding.toString());
      this.kind = finding.kind();
    }

    Finding.Kind kind() {
      return kind;
    }
  }

  /**
   * Checks, changing nothing.
   *
   * @throws PreflightFailedException where not only single tables are in the way
   */
  static PreflightReport check(SourceOptions source) {
    PreflightReport report = Preflight.check(source.address(), source.tables(), source.slot(), source.publication());
    report.findings().stream().filter(finding -> finding.refusedTable().isEmpty()).findFirst().ifPresent(finding -> {
      throw new PreflightFailedException(finding);
    });
    return report;
  }

  /** Brings the publication into the shape that the report asks for. */
  static void publish(PreflightReport report, SourceConnections connections) throws SQLException {
    List<String> statements = report.publicationSql();
    if (!statements.isEmpty()) {
      try (Connection connection = connections.connect()) {
        Publication.apply(connection, statements);
      } catch (SQLException e) {
        if (!INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
          throw e;
        }
        // The preflight would have said so if a table were missing: only refused ones are too many, and their events
        // are dropped.
        LOG.warn("the publication holds tables that are not mirrored; have its owner run: {}",
            String.join("; ", statements));
      }
    }
  }

  /** Tables that cannot be mirrored: reasons with cures. */
  static Map<TableId, String> refused(PreflightReport report) {
    Map<TableId, String> refused = new TreeMap<>();
    report.findings().forEach(finding -> finding.refusedTable()
        .ifPresent(table -> refused.merge(table, finding.toString(), (one, other) -> one + "; " + other)));
    return refused;
  }
}
