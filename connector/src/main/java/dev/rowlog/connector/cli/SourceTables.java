package dev.rowlog.connector.cli;

import dev.rowlog.connector.catalog.CatalogReader;
import dev.rowlog.connector.catalog.Relation;
import dev.rowlog.connector.catalog.SourceAddress;
import dev.rowlog.connector.catalog.SourceConnections;
import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.config.NearestName;
import dev.rowlog.connector.config.SourceConfig;
import dev.rowlog.connector.config.SourceUrl;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Which tables of the database {@code source.tables} means. */
final class SourceTables {
  private SourceTables() {}

  /**
   * Looks into the catalog: tables and partition roots; whether each can be mirrored is decided later.
   *
   * @throws CommandFailure where the database cannot be reached, a named table is missing or nothing matches
   */
  static List<TableId> resolve(SourceConfig source) {
    SourceAddress address = address(source.url());
    try (Connection connection = SourceConnections.open(address).connect()) {
      return chosen(new CatalogReader(connection), source, address);
    } catch (SQLException e) {
      throw new CommandFailure(ExitCode.ENVIRONMENT, SourceFailure.message(address, e), e);
    }
  }

  static SourceAddress address(SourceUrl url) {
    return new SourceAddress(url.host(), url.port(), url.database(), url.user(), url.password(), url.parameters());
  }

  private static List<TableId> chosen(CatalogReader catalog, SourceConfig source, SourceAddress address) throws SQLException {
    TablePatterns patterns = source.tables();
    List<Relation> relations = catalog.relations(patterns);
    List<TableId> found = relations.stream().map(Relation::id).toList();
    Optional<TableId> missing = patterns.literals().stream().filter(table -> !found.contains(table)).findFirst();
    if (missing.isPresent()) {
      List<String> others = catalog.relations(TablePatterns.parse("*.*")).stream().map(relation -> relation.id().toString()).toList();
      String hint = NearestName.of(missing.get().toString(), others).map(name -> ": did you mean " + name + "?").orElse("");
      throw new CommandFailure(ExitCode.USAGE,
          "source.tables names " + missing.get() + ", which database " + address.database() + " does not have" + hint);
    }
    List<TableId> tables = relations.stream()
        .filter(relation -> relation.kind() == 'r' || relation.kind() == 'p' || patterns.literals().contains(relation.id()))
        .map(Relation::id)
        .toList();
    if (tables.isEmpty()) {
      throw new CommandFailure(ExitCode.USAGE,
          "source.tables=" + patterns + " matches no table of database " + address.database() + " that " + address.user() + " can see");
    }
    return tables;
  }
}
