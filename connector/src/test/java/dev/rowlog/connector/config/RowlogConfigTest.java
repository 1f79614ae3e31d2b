package dev.rowlog.connector.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.connector.config.key.ConfigKey;
import dev.rowlog.connector.config.key.ConfigKeys;
import dev.rowlog.connector.config.setting.ConfigException;
import dev.rowlog.connector.config.setting.ConfigSources;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowlogConfigTest {
  private static final String URL = "postgres://u@h/shop";

  @Test
  void shouldHaveTheDocumentedDefaults() {
    // When
    RowlogConfig config = load(Map.of("source.url", URL));
    // Then
    assertThat(config.source().tables().toString()).isEqualTo("public.*");
    assertThat(config.source().name()).isEqualTo("shop");
    assertThat(config.source().slot()).isEqualTo("rowlog");
    assertThat(config.source().publication()).isEqualTo("rowlog");
    assertThat(config.source().connections()).isEqualTo(2);
    assertThat(config.source().debezium().properties()).isEmpty();
    assertThat(config.data().directory()).isEqualTo(Path.of("./rowlog-data"));
    assertThat(config.http()).isEqualTo(new HttpConfig(true, "127.0.0.1", 8080));
    assertThat(config.logging()).isEqualTo(new LoggingConfig("info", "auto", 0));
    assertThat(config.cleaner().cleaner()).isEqualTo(CleanerConfig.defaults());
    assertThat(config.topic().log()).isEqualTo(LogConfig.defaults()
        .with(Map.of("segment.bytes", "67108864", "segment.ms", "3600000", "max.compaction.lag.ms", "86400000")));
  }

  @Test
  void shouldMapEveryKey() {
    // Given
    Map<String, String> other = new HashMap<>(Map.of(
        "source.url", URL, "source.tables", "a.b", "data.dir", "/d", "source.password", "p", "source.name", "n",
        "source.slot", "s",
        "source.publication", "q", "http.listen", "[::1]:9", "source.connections", "5",
        "source.debezium.max.batch.size", "9"));
    other.put("logging.level", "debug");
    other.put("logging.format", "json");
    other.put("logging.rows", "7");
    other.put("topic.cleanup.policy", "compact");
    Map<String, String> topic = Map.ofEntries(Map.entry("segment.bytes", "1000000"), Map.entry("segment.ms", "1001"),
        Map.entry("min.cleanable.dirty.ratio", "0.25"), Map.entry("min.compaction.lag.ms", "1"),
        Map.entry("max.compaction.lag.ms", "1003"),
        Map.entry("delete.retention.ms", "1004"), Map.entry("compression.type", "zstd"),
        Map.entry("index.interval.bytes", "1005"),
        Map.entry("segment.index.bytes", "1008"), Map.entry("file.delete.delay.ms", "1007"),
        Map.entry("retention.ms", "1009"),
        Map.entry("retention.bytes", "1010"));
    Map<String, String> cleaner = Map.of("log.cleaner.enable", "false", "log.cleaner.dedupe.buffer.size", "2000000",
        "log.cleaner.io.buffer.size", "20000", "log.cleaner.io.buffer.load.factor", "0.5",
        "log.cleaner.io.max.bytes.per.second", "7.0",
        "log.cleaner.backoff.ms", "8");
    topic.forEach((key, value) -> other.put("topic." + key, value));
    other.putAll(cleaner);
    assertThat(other.keySet()).containsAll(ConfigKeys.all().stream().map(ConfigKey::name).toList());
    // When
    RowlogConfig config = load(other);
    // Then
    assertThat(config.source().tables().toString()).isEqualTo("a.b");
    assertThat(config.source().url().password()).isEqualTo("p");
    assertThat(config.source().name()).isEqualTo("n");
    assertThat(config.source().slot()).isEqualTo("s");
    assertThat(config.source().publication()).isEqualTo("q");
    assertThat(config.source().connections()).isEqualTo(5);
    assertThat(config.source().debezium().properties()).isEqualTo(Map.of("max.batch.size", "9"));
    assertThat(config.data().directory()).isEqualTo(Path.of("/d"));
    assertThat(config.http()).isEqualTo(new HttpConfig(true, "::1", 9));
    assertThat(config.logging()).isEqualTo(new LoggingConfig("debug", "json", 7));
    assertThat(config.topic().log()).isEqualTo(LogConfig.defaults().with(topic));
    CleanerConfig expected = CleanerConfig.defaults();
    for (Map.Entry<String, String> entry : cleaner.entrySet()) {
      expected = expected.with(entry.getKey(), entry.getValue());
    }
    assertThat(config.cleaner().cleaner()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "source.slot          | Rowlog          | must be 1 to 63 of a-z, 0-9 and _",
      "source.name          | a b             | must be 1 to 100 of",
      "source.connections   | 0               | must be a whole number from 1 to 64",
      "source.tables        | orders          | is not schema.table",
      "source.url           | mysql://h/d     | must begin with postgres://",
      "http.listen          | 8080            | must be host:port",
      "http.listen          | 0.0.0.0:70000   | must be host:port",
      "logging.level        | loud            | must be one of error, warn, info, debug, trace",
      "topic.cleanup.policy | delete          | would make a replay differ from the table",
      "topic.cleanup.policy | compact,delete  | would make a replay differ from the table",
      "topic.segment.bytes  | many            | segment.bytes",
      "topic.min.cleanable.dirty.ratio | 2    | ratio",
      "log.cleaner.io.buffer.load.factor | 0  | factor",
      "source.debezium.slot.drop.on.stop | true  | is refused: dropping the slot loses every change",
      "source.debezium.snapshot.mode     | never | is refused",
      "source.debezium.database.hostname | x     | is refused"})
  void shouldSayKeyValueReasonAndOriginOfABadValue(String key, String value, String reason) {
    Map<String, String> flags = new HashMap<>(Map.of("source.url", URL));
    flags.put(key, value);
    assertThatThrownBy(() -> load(flags))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(key)
        .hasMessageContaining(reason)
        .hasMessageContaining("(from flag --" + key + ")");
  }

  @Test
  void shouldReportTheProblemsOfAllConcernsAtOnce() {
    Map<String, String> flags = Map.of("http.listen", "nonsense", "logging.format", "xml");
    assertThatThrownBy(() -> load(flags)).isInstanceOfSatisfying(ConfigException.class,
        e -> assertThat(e.problems()).hasSize(3).anyMatch(p -> p.startsWith("source.url is required"))
            .anyMatch(p -> p.startsWith("http.listen=nonsense")).anyMatch(p -> p.startsWith("logging.format=xml")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"my db", ".db", "naïve"})
  void shouldAskForANameWhereTheDatabasesDoesNotServe(String database) {
    Map<String, String> flags = Map.of("source.url",
        "postgres://u@h/" + URLEncoder.encode(database, StandardCharsets.UTF_8).replace("+", "%20"));
    assertThatThrownBy(() -> load(flags)).hasMessageContaining("source.name is required")
        .hasMessageContaining(database);
  }

  @ParameterizedTest
  @CsvSource({"off, false, 127.0.0.1, 0", "localhost:0, true, localhost, 0", ":8080, true, 127.0.0.1, 8080",
      "0.0.0.0:80, true, 0.0.0.0, 80"})
  void shouldReadListenAddresses(String text, boolean enabled, String host, int port) {
    assertThat(load(Map.of("source.url", URL, "http.listen", text)).http())
        .isEqualTo(new HttpConfig(enabled, host, port));
  }

  private static RowlogConfig load(Map<String, String> flags) {
    return RowlogConfig.load(new ConfigSources(flags, Map.of(), Optional.empty()));
  }
}
