package dev.rowlog.connector.capture;

import dev.rowlog.connector.catalog.SourceAddress;
import dev.rowlog.connector.catalog.TableSchema;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.TableId;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Collectors;

/** The one place that knows Debezium's keys. */
final class DebeziumProperties {
  /** Debezium's own name for us; the topics that readers see are named elsewhere. */
  static final String PREFIX = "rowlog";

  static final String TRANSACTION_TOPIC = PREFIX + ".transaction";
  static final String MESSAGE_TOPIC = PREFIX + ".message";

  /** Driver properties that Debezium wants under another name. */
  private static final List<String> DATABASE_KEYS = List.of("sslmode", "sslcert", "sslkey", "sslpassword",
      "sslrootcert", "sslfactory", "tcpKeepAlive");

  private DebeziumProperties() {}

  /**
   * @throws IllegalArgumentException naming the first key that would break a guarantee
   */
  static void requireAllowed(Collection<String> keys) {
    for (String key : keys) {
      PassThroughKeys.refusal(key).ifPresent(reason -> {
        throw new IllegalArgumentException("source.debezium." + key + " is not passed through: " + reason);
      });
    }
  }

  /**
   * @param position where to go on: the end LSN of the last committed transaction, or the slot's consistent point
   */
  static Properties of(CaptureSettings settings, Lsn position) {
    Properties properties = new Properties();
    settings.debezium().forEach(properties::setProperty);
    engine(properties, settings.slot(), position);
    database(properties, settings);
    values(properties);
    stream(properties, settings);
    return properties;
  }

  private static void engine(Properties properties, String slot, Lsn position) {
    properties.setProperty("name", slot);
    properties.setProperty("connector.class", RawConnector.class.getName());
    properties.setProperty("topic.prefix", PREFIX);
    properties.setProperty("offset.storage", CommittedOffsetStore.class.getName());
    properties.setProperty(CommittedOffsetStore.POSITION, Long.toString(position.value()));
    // Each batch that holds a commit moves the slot on.
    properties.setProperty("offset.flush.interval.ms", "0");
    properties.setProperty("record.processing.threads", "1");
    properties.setProperty("record.processing.order", "ORDERED");
    properties.setProperty("errors.max.retries", "0");
    properties.setProperty("slot.max.retries", "0");
    properties.setProperty("poll.interval.ms", "5");
    properties.putIfAbsent("max.batch.size", "4096");
    properties.putIfAbsent("max.queue.size", "16384");
    properties.putIfAbsent("max.queue.size.in.bytes", Long.toString(64L << 20));
  }

  private static void database(Properties properties, CaptureSettings settings) {
    SourceAddress address = settings.connections().address();
    properties.setProperty("database.hostname", address.host());
    properties.setProperty("database.port", Integer.toString(address.port()));
    properties.setProperty("database.user", address.user());
    properties.setProperty("database.password", address.password() == null ? "" : address.password());
    properties.setProperty("database.dbname", address.database());
    address.driverProperties()
        .forEach((key, value) -> properties.setProperty((DATABASE_KEYS.contains(key) ? "database." : "driver.") + key,
            value));
    properties.setProperty("driver.options", settings.connections().properties().getProperty("options"));
  }

  private static void values(Properties properties) {
    properties.setProperty("converters", "raw");
    properties.setProperty("raw.type", RawTextConverter.class.getName());
    properties.setProperty("include.unknown.datatypes", "true");
    properties.setProperty("event.processing.failure.handling.mode", "fail");
    properties.setProperty("event.converting.failure.handling.mode", "fail");
    properties.setProperty("tombstones.on.delete", "false");
    properties.setProperty("skipped.operations", "none");
    properties.setProperty("extended.headers.enabled", "false");
  }

  private static void stream(Properties properties, CaptureSettings settings) {
    properties.setProperty("plugin.name", "pgoutput");
    properties.setProperty("slot.name", settings.slot());
    properties.setProperty("slot.drop.on.stop", "false");
    properties.setProperty("publication.name", settings.publication());
    properties.setProperty("publication.autocreate.mode", "disabled");
    properties.setProperty("snapshot.mode", "no_data");
    properties.setProperty("provide.transaction.metadata", "true");
    properties.setProperty("heartbeat.interval.ms", "0");
    properties.setProperty("lsn.flush.mode", "connector");
    List<TableSchema> tables = settings.tables();
    properties.setProperty("table.include.list",
        tables.stream().map(table -> pattern(table.id())).collect(Collectors.joining(",")));
    // Debezium would key by the primary key; under another identity index old rows carry that index's columns only.
    String keys = tables.stream().filter(table -> table.replicaIdentity() == 'i')
        .map(table -> pattern(table.id()) + ":" + String.join(",", table.keyColumns()))
        .collect(Collectors.joining(";"));
    if (!keys.isEmpty()) {
      properties.setProperty("message.key.columns", keys);
    }
  }

  /** A regular expression for exactly this name, but for case, without any character that Debezium's lists are split at. */
  static String pattern(TableId table) {
    return literal(table.schema()) + "\\." + literal(table.table());
  }

  private static String literal(String name) {
    StringBuilder pattern = new StringBuilder();
    name.codePoints().forEach(c -> {
      if (c == '_' || c < 0x80 && Character.isLetterOrDigit(c)) {
        pattern.append((char) c);
      } else {
        pattern.append(String.format(Locale.ROOT, "\\x{%X}", c));
      }
    });
    return pattern.toString();
  }
}
