package dev.rowlog.connector.config;

import dev.rowlog.connector.config.key.ConfigKeys;
import dev.rowlog.connector.config.setting.ConfigException;
import dev.rowlog.connector.config.setting.Settings;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Keys for Debezium's connector, without {@code source.debezium.}: handed over as they are, but for those that would
 * break a promise.
 */
public record DebeziumPassThrough(Map<String, String> properties) {
  private static final String SELF = "Rowlog sets it, and exactness depends on it";
  private static final String BY_URL = "the connection is set by source.url";
  private static final String POSITION = "the source position is committed with the records; a second one could be ahead of them";
  private static final String BY_TABLES = "tables are chosen by source.tables";
  private static final String VALUES = "a value that is left out or changed would differ from the table's";

  /** A name, or the beginning of names where it ends in a dot, with the reason why it is refused. */
  private static final Map<String, String> REFUSED = Map.ofEntries(
      Map.entry("name", SELF),
      Map.entry("connector.class", SELF),
      Map.entry("tasks.max", SELF),
      Map.entry("converters", SELF),
      Map.entry("raw.", SELF),
      Map.entry("plugin.name", "the stream is read through pgoutput"),
      Map.entry("topic.prefix", "it is source.name"),
      Map.entry("topic.naming.strategy", "topics are named by Rowlog"),
      Map.entry("slot.name", "it is source.slot"),
      Map.entry("slot.drop.on.stop", "dropping the slot loses every change until the next start"),
      Map.entry("slot.max.retries", SELF),
      Map.entry("slot.stream.params", SELF),
      Map.entry("publication.name", "it is source.publication"),
      Map.entry("publication.autocreate.mode", "the publication is made by Rowlog or by the SQL of 'rowlog init'"),
      Map.entry("snapshot.", "Rowlog reads the tables itself and hands over to the stream without a gap"),
      Map.entry("incremental.snapshot.", "Rowlog reads the tables itself"),
      Map.entry("signal.", "Rowlog reads the tables itself"),
      Map.entry("read.only", "Rowlog reads the tables itself"),
      Map.entry("tombstones.on.delete", "tombstones come from the delete event itself, once"),
      Map.entry("skipped.operations", "a skipped operation would leave the log different from the table"),
      Map.entry("skip.messages.without.change", "a skipped message would leave the log different from the table"),
      Map.entry("unavailable.value.placeholder", "unchanged TOAST values are told by a mark of Rowlog's own"),
      Map.entry("provide.transaction.metadata", "transactions are kept whole by it"),
      Map.entry("transaction.", "transactions are kept whole by it"),
      Map.entry("include.unknown.datatypes", "without it keys and values silently become null"),
      Map.entry("event.processing.failure.handling.mode", "an event that fails must stop the mirror, not be skipped"),
      Map.entry("event.converting.failure.handling.mode", "an event that fails must stop the mirror, not be skipped"),
      Map.entry("heartbeat.", "Rowlog sends heartbeats of its own"),
      Map.entry("lsn.flush.mode", "the slot must never move past the last commit"),
      Map.entry("offset.", POSITION),
      Map.entry("schema.history.internal.", POSITION),
      Map.entry("errors.", "Rowlog decides when to start again"),
      Map.entry("retriable.restart.connector.wait.ms", "Rowlog decides when to start again"),
      Map.entry("extended.headers.enabled", SELF),
      Map.entry("message.key.columns", "a record's key is the row's primary key"),
      Map.entry("message.prefix.", "heartbeats come through messages"),
      Map.entry("key.converter", SELF),
      Map.entry("value.converter", SELF),
      Map.entry("transforms", VALUES),
      Map.entry("predicates", VALUES),
      Map.entry("column.", VALUES),
      Map.entry("custom.metric.tags", "Rowlog's metrics are its own"),
      Map.entry("table.", BY_TABLES),
      Map.entry("schema.include.list", BY_TABLES),
      Map.entry("schema.exclude.list", BY_TABLES),
      Map.entry("database.", BY_URL),
      Map.entry("driver.options", "the session's settings decide how values print"));

  public DebeziumPassThrough {
    properties = Map.copyOf(properties);
  }

  /**
   * @throws ConfigException for a refused key
   */
  static DebeziumPassThrough of(Settings settings) {
    Map<String, String> properties = new TreeMap<>();
    settings.below(ConfigKeys.DEBEZIUM_PREFIX).forEach((key, setting) -> {
      refusal(key).ifPresent(reason -> {
        throw new ConfigException(setting.key() + " is refused: " + reason + " (from " + setting.origin() + ")");
      });
      properties.put(key, setting.value());
    });
    return new DebeziumPassThrough(properties);
  }

  /** Why a key is not passed through; empty where it is. */
  static Optional<String> refusal(String key) {
    return REFUSED.entrySet().stream()
        .filter(refused -> covers(refused.getKey(), key))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private static boolean covers(String refused, String key) {
    return refused.endsWith(".") ? key.startsWith(refused) : key.equals(refused) || key.startsWith(refused + ".");
  }
}
