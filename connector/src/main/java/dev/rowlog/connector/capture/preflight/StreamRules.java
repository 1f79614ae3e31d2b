package dev.rowlog.connector.capture.preflight;

import dev.rowlog.connector.capture.preflight.Finding.Kind;
import dev.rowlog.connector.catalog.Relation;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What ends the stream of a table that was accepted before. The connection's thread. */
public final class StreamRules {
  /** Rights are for reading rows: the stream does without them. */
  private static final Set<Kind> OF_THE_STREAM = EnumSet.of(Kind.NOT_A_TABLE, Kind.NOT_PERMANENT, Kind.NO_KEY,
      Kind.TABLE_NAME, Kind.COLUMN_NAMES, Kind.GENERATED_COLUMN, Kind.SERVER_CAST);

  private StreamRules() {}

  /** Why not every change of the table arrives any more, with the cure; empty where it does. */
  public static Optional<String> problem(Connection connection, Relation relation) throws SQLException {
    return Stream
        .of(TableRules.check(relation, ""), PartitionRules.check(connection, relation),
            NameRules.check(connection, relation))
        .flatMap(List::stream)
        .filter(finding -> OF_THE_STREAM.contains(finding.kind())).findFirst().map(Finding::toString);
  }
}
