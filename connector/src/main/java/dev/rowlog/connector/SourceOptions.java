package dev.rowlog.connector;

import dev.rowlog.connector.change.TableId;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The database to mirror.
 *
 * @param parameters further connection parameters by pgjdbc's names, such as {@code sslmode}
 * @param tables what to mirror, in any order
 * @param slot name of the replication slot, ours alone
 * @param publication name of the publication, ours alone
 * @param debezium pass-through keys of Debezium's connector, without {@code source.debezium.}
 */
public record SourceOptions(
    String host,
    int port,
    String database,
    String user,
    String password,
    Map<String, String> parameters,
    List<TableId> tables,
    String slot,
    String publication,
    Map<String, String> debezium) {
  public SourceOptions {
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(database, "database");
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(slot, "slot");
    Objects.requireNonNull(publication, "publication");
    parameters = Map.copyOf(parameters);
    tables = tables.stream().distinct().sorted().toList();
    debezium = Map.copyOf(debezium);
    if (tables.isEmpty()) {
      throw new IllegalArgumentException("source.tables names no table");
    }
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "postgresql://" + user + "@" + host + ":" + port + "/" + database + " slot " + slot + " tables " + tables;
  }
}
