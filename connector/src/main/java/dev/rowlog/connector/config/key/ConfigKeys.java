package dev.rowlog.connector.config.key;

import static dev.rowlog.connector.config.key.Tier.ESSENTIAL;
import static dev.rowlog.connector.config.key.Tier.FREQUENT;
import static dev.rowlog.connector.config.key.Tier.RARE;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Every key, in the order of the documentation. {@code config/rowlog.properties} holds the same list (a test compares
 * them).
 *
 * <p>Keys below {@code topic.} and {@code log.cleaner.} are Kafka's own, with Kafka's meanings; the defaults of three
 * of them are smaller here,
 * since a small table would otherwise never close a segment and so never be cleaned.
 */
public final class ConfigKeys {
  /** What follows is handed to Debezium as it is. */
  public static final String DEBEZIUM_PREFIX = "source.debezium.";

  public static final String TOPIC_PREFIX = "topic.";
  public static final String CLEANER_PREFIX = "log.cleaner.";

  private static final List<ConfigKey> ALL = List.of(
      key("source.url", ESSENTIAL, null,
          "The database: postgres://user:password@host:port/db?sslmode=…; the PG* variables of libpq fill what it leaves out."),
      key("source.tables", ESSENTIAL, "public.*",
          "Tables to mirror: schema.table, separated by commas; * stands for any characters, a leading ! leaves out."),
      key("data.dir", ESSENTIAL, "./rowlog-data", "Folder of the logs."),

      secret("source.password", FREQUENT,
          "Password, where the URL has none; better given as ROWLOG_SOURCE_PASSWORD_FILE."),
      key("source.name", FREQUENT, null, "First part of every topic's name; by default the database's name."),
      key("source.slot", FREQUENT, "rowlog", "Replication slot: made by Rowlog, used by nothing else."),
      key("source.publication", FREQUENT, "rowlog",
          "Publication: made by Rowlog where the role may, else by the SQL that 'rowlog init' prints."),
      key("http.listen", FREQUENT, "127.0.0.1:8080",
          "Address of health, status and API: host:port; port 0 takes a free one."),
      key("topic.segment.bytes", FREQUENT, "67108864", "A segment is closed at this size (Kafka's default: 1 GiB)."),
      key("topic.segment.ms", FREQUENT, "3600000", "A segment is closed at this age (Kafka's default: 7 days)."),
      key("topic.min.cleanable.dirty.ratio", FREQUENT, "0.5",
          "Share of a log that must be dirty before it is cleaned."),
      key("topic.min.compaction.lag.ms", FREQUENT, "0", "A record stays uncleaned at least this long."),
      key("topic.max.compaction.lag.ms", FREQUENT, "86400000",
          "A log with a record older than this is cleaned whatever its ratio (Kafka's default: never)."),
      key("topic.delete.retention.ms", FREQUENT, "86400000",
          "A tombstone stays this long after the pass that first cleaned it."),
      key("topic.compression.type", FREQUENT, "none", "Codec of batches: none, gzip, snappy, lz4 or zstd."),
      key("log.cleaner.enable", FREQUENT, "true", "Whether the cleaner runs in the background."),
      key("log.cleaner.dedupe.buffer.size", FREQUENT, "134217728", "Bytes of the cleaner's map of keys, off heap."),

      key("topic.cleanup.policy", RARE, "compact",
          "Only compact: with anything else a replay would not equal the table."),
      key("topic.index.interval.bytes", RARE, "4096", "Bytes of log between two entries of an index."),
      key("topic.segment.index.bytes", RARE, "10485760", "Largest size of an index; a full one closes the segment."),
      key("topic.file.delete.delay.ms", RARE, "60000",
          "Replaced files stay this long for readers that have them open."),
      key("topic.retention.ms", RARE, "604800000", "Kafka's key; without effect on compact logs."),
      key("topic.retention.bytes", RARE, "-1", "Kafka's key; without effect on compact logs."),
      key("log.cleaner.io.buffer.size", RARE, "524288", "Bytes of the cleaner's read and write buffers."),
      key("log.cleaner.io.buffer.load.factor", RARE, "0.9", "Share of the map that may be filled."),
      key("log.cleaner.io.max.bytes.per.second", RARE, "1.7976931348623157E308",
          "Upper bound of the cleaner's reading and writing together."),
      key("log.cleaner.backoff.ms", RARE, "15000", "Pause of the cleaner when nothing is cleanable."),
      key("source.connections", RARE, "2", "Connections that read tables in a snapshot."),
      key("logging.level", RARE, "info", "error, warn, info, debug or trace."),
      key("logging.format", RARE, "auto", "text, json, or auto: text on a terminal, json otherwise."),
      key("logging.rows", RARE, "0",
          "Records of each transaction that the log shows, with their content; 20 lines a second at most."));

  private static final Map<String, ConfigKey> BY_NAME = ALL.stream()
      .collect(Collectors.toUnmodifiableMap(ConfigKey::name, Function.identity()));

  private ConfigKeys() {}

  public static List<ConfigKey> all() {
    return ALL;
  }

  public static Optional<ConfigKey> find(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /** True for a key of the list, of a target, and for one that is passed through. */
  public static boolean isKnown(String name) {
    return BY_NAME.containsKey(name) || TargetKeys.isKnown(name)
        || name.startsWith(DEBEZIUM_PREFIX) && name.length() > DEBEZIUM_PREFIX.length();
  }

  /** True where the value must not be printed: known secrets, and passed-through keys that look like one. */
  public static boolean isSecret(String name) {
    ConfigKey key = BY_NAME.get(name);
    return key != null ? key.secret() : name.matches("(?i).*(password|secret|token|credential|sslkey).*");
  }

  private static ConfigKey key(String name, Tier tier, String defaultValue, String description) {
    return new ConfigKey(name, tier, defaultValue, false, description);
  }

  private static ConfigKey secret(String name, Tier tier, String description) {
    return new ConfigKey(name, tier, null, true, description);
  }
}
