package dev.rowlog.connector.capture;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which of Debezium's keys a user may set ({@code source.debezium.*}): all but those that would break a promise. Pure. */
public final class PassThroughKeys {
  /** A name stands for itself and for all below it ({@code name.…}); one that ends in a dot for those below it only. */
  private static final Map<String, String> REFUSED = refused();

  private PassThroughKeys() {}

  /**
   * Why a key is not passed through; empty where it is.
   *
   * @param key without {@code source.debezium.}
   */
  public static Optional<String> refusal(String key) {
    return REFUSED.entrySet().stream()
        .filter(refused -> covers(refused.getKey(), key))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private static boolean covers(String refused, String key) {
    return refused.endsWith(".") ? key.startsWith(refused) : key.equals(refused) || key.startsWith(refused + ".");
  }

  private static Map<String, String> refused() {
    Map<String, String> refused = new LinkedHashMap<>();
    put(refused, "it is source.name", "topic.prefix");
    put(refused, "it is source.slot", "slot.name");
    put(refused, "it is source.publication", "publication.name");
    put(refused, "the connection is set by source.url", "database.");
    put(refused, "tables are chosen by source.tables", "table.", "schema.include.list", "schema.exclude.list");
    put(refused, "the publication is made by Rowlog or by the SQL of 'rowlog init'", "publication.",
        "replica.identity.autoset.values");
    put(refused, "the stream is read through pgoutput", "plugin.name");
    put(refused, "topics are named by Rowlog", "topic.naming.strategy", "topic.transaction");
    put(refused, "a record's key is the row's primary key", "message.key.columns");
    put(refused, "Rowlog runs the engine itself", "name", "connector.class", "tasks.max", "record.processing",
        "key.converter", "value.converter", "header.converter", "exactly.once.support", "custom.metric.tags",
        "notification.");
    put(refused, "Rowlog decides when to start again", "errors.", "retriable.restart.connector.wait.ms",
        "slot.max.retries", "poll.interval.ms");
    put(refused, "Rowlog reads the tables itself and hands over to the stream without a gap", "snapshot.",
        "incremental.snapshot.", "signal.", "read.only");
    put(refused, "Rowlog sends heartbeats of its own, through messages", "heartbeat.", "message.prefix.");
    put(refused, "values are PostgreSQL's own text (exactness would be lost)", "converters", "raw.",
        "include.unknown.datatypes", "unavailable.value.placeholder", "binary.handling.mode", "decimal.handling.mode",
        "hstore.handling.mode", "interval.handling.mode", "time.precision.mode", "money.fraction.digits", "column.",
        "datatype.propagate.source.type", "transforms", "predicates", "post.processors", "field.name.adjustment.mode",
        "schema.name.adjustment.mode", "driver.options", "schema.refresh.mode", "extended.headers.enabled");
    put(refused, "tombstones come from the delete event itself, once", "tombstones.on.delete");
    put(refused, "an event that is skipped would leave the log different from the table", "skipped.operations",
        "skip.messages.without.change", "event.processing.failure.handling.mode",
        "event.converting.failure.handling.mode");
    put(refused, "the position is committed with the records (exactly-once would be lost)", "offset.",
        "lsn.flush.mode", "lsn.flush.timeout.action", "slot.seek.to.known.offset.on.start", "internal.", "rowlog.",
        "slot.stream.params", "slot.failover", "provide.transaction.metadata", "transaction.",
        "schema.history.internal.");
    put(refused, "dropping the slot loses every change until the next start", "slot.drop.on.stop");
    return refused;
  }

  private static void put(Map<String, String> refused, String reason, String... keys) {
    List.of(keys).forEach(key -> refused.put(key, reason));
  }
}
