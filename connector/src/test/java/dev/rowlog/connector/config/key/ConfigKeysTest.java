package dev.rowlog.connector.config.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.config.RowlogConfig;
import dev.rowlog.connector.config.TopicConfig;
import dev.rowlog.connector.config.setting.ConfigLoader;
import dev.rowlog.connector.config.setting.ConfigSources;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Loader, file and engine agree on keys, tiers and defaults. */
class ConfigKeysTest {
  private static final Pattern KEY_LINE = Pattern.compile("#([a-z0-9.]+)=(.*)");
  private static final Pattern TIER_LINE = Pattern.compile("# -{20,} (Essential|Frequently used|Rarely used)");

  @Test
  void shouldListEveryKeyWithItsDefaultInTheDocumentedFile() throws IOException {
    // Given
    Map<String, String> expected = new LinkedHashMap<>();
    ConfigKeys.all().forEach(key -> expected.put(key.name(), key.defaultText().orElse("")));
    // When
    Map<String, String> documented = new TreeMap<>();
    documentedKeys().forEach((key, value) -> documented.put(key, value));
    documented.keySet().removeIf(key -> key.startsWith(ConfigKeys.DEBEZIUM_PREFIX));
    // Then
    assertThat(documented).containsExactlyInAnyOrderEntriesOf(expected);
  }

  @Test
  void shouldKeepTheTiersOfTheDocumentedFile() throws IOException {
    // Given
    Map<String, Tier> documented = new LinkedHashMap<>();
    Tier tier = null;
    for (String line : lines()) {
      Matcher head = TIER_LINE.matcher(line);
      Matcher key = KEY_LINE.matcher(line);
      if (head.matches()) {
        tier = switch (head.group(1)) {
          case "Essential" -> Tier.ESSENTIAL;
          case "Frequently used" -> Tier.FREQUENT;
          default -> Tier.RARE;
        };
      } else if (key.matches() && !key.group(1).startsWith(ConfigKeys.DEBEZIUM_PREFIX)) {
        documented.put(key.group(1), tier);
      }
    }
    // When
    Map<String, Tier> known = new LinkedHashMap<>();
    ConfigKeys.all().forEach(key -> known.put(key.name(), key.tier()));
    // Then
    assertThat(documented).containsExactlyInAnyOrderEntriesOf(known);
  }

  @Test
  void shouldLoadTheDocumentedFileWithEveryLineUncommented() throws IOException {
    // Given
    List<String> uncommented = new ArrayList<>();
    documentedKeys()
        .forEach((key, value) -> uncommented.add(key + "=" + (key.equals("source.url") ? "postgres://u@h/d" : value)));
    uncommented.removeIf(line -> line.endsWith("="));
    Path file = Files.write(Files.createTempFile("rowlog", ".properties"), uncommented);
    // When
    RowlogConfig config = RowlogConfig.load(new ConfigSources(Map.of(), Map.of(), Optional.of(file)));
    // Then
    assertThat(config.topic())
        .isEqualTo(TopicConfig.of(ConfigLoader.settings(new ConfigSources(Map.of(), Map.of(), Optional.empty()))));
    Files.delete(file);
  }

  @Test
  void shouldHaveExactlyTheEnginesTopicKeys() {
    assertThat(below(ConfigKeys.TOPIC_PREFIX))
        .containsExactlyInAnyOrderElementsOf(LogConfig.defaults().toMap().keySet());
  }

  @Test
  void shouldHaveExactlyTheEnginesCleanerKeys() {
    List<String> keys = below(ConfigKeys.CLEANER_PREFIX).stream().map(key -> ConfigKeys.CLEANER_PREFIX + key).toList();
    assertThat(keys).containsExactlyInAnyOrderElementsOf(CleanerConfig.defaults().toMap().keySet());
  }

  @Test
  void shouldDifferFromKafkasDefaultsInExactlyThreeKeys() {
    // Given
    Map<String, String> kafka = LogConfig.defaults().toMap();
    // When
    List<String> smaller = ConfigKeys.all().stream()
        .filter(key -> key.name().startsWith(ConfigKeys.TOPIC_PREFIX))
        .filter(key -> !LogConfig.defaults()
            .with(key.name().substring(ConfigKeys.TOPIC_PREFIX.length()), key.defaultValue()).toMap()
            .equals(kafka))
        .map(ConfigKey::name)
        .toList();
    // Then
    assertThat(smaller).containsExactlyInAnyOrder("topic.segment.bytes", "topic.segment.ms",
        "topic.max.compaction.lag.ms");
  }

  @Test
  void shouldGiveEachKeyAVariableOfItsOwnThatLeadsBack() {
    assertThat(ConfigKeys.all())
        .allSatisfy(key -> assertThat(EnvironmentNames.keyOf(key.environmentVariable())).contains(key.name()));
    assertThat(ConfigKeys.all().stream().map(ConfigKey::environmentVariable)).doesNotHaveDuplicates();
  }

  private static List<String> below(String prefix) {
    return ConfigKeys.all().stream().map(ConfigKey::name).filter(name -> name.startsWith(prefix))
        .map(name -> name.substring(prefix.length()))
        .toList();
  }

  private static Map<String, String> documentedKeys() throws IOException {
    Map<String, String> keys = new LinkedHashMap<>();
    for (String line : lines()) {
      Matcher key = KEY_LINE.matcher(line);
      if (key.matches()) {
        assertThat(keys.put(key.group(1), key.group(2))).as(line).isNull();
      }
    }
    return keys;
  }

  private static List<String> lines() throws IOException {
    return Files.readAllLines(Path.of("..", "config", "rowlog.properties"));
  }
}
