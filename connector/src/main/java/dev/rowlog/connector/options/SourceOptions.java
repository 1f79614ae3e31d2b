package dev.rowlog.connector.options;

import dev.rowlog.connector.catalog.SourceAddress;
import dev.rowlog.connector.catalog.TablePatterns;
import java.util.Map;
import java.util.Objects;

/**
 * The database to mirror.
 *
 * @param tables what to mirror
 * @param slot name of the replication slot, ours alone
 * @param publication name of the publication, ours alone
 * @param debezium pass-through keys of Debezium's connector, without {@code source.debezium.}
 */
public record SourceOptions(
    SourceAddress address, TablePatterns tables, String slot, String publication, Map<String, String> debezium) {
  public SourceOptions {
    Objects.requireNonNull(address, "address");
    Objects.requireNonNull(tables, "tables");
    Objects.requireNonNull(slot, "slot");
    Objects.requireNonNull(publication, "publication");
    debezium = Map.copyOf(debezium);
  }
}
