package dev.rowlog.connector.config.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rowlog.connector.config.key.ConfigKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigLoaderTest {
  @TempDir
  Path folder;

  @Test
  void shouldTakeFlagBeforeEnvironmentBeforeFileBeforeDefault() throws IOException {
    // Given
    Path file = file("# a comment", "", "data.dir = /from/file", "source.slot=file_slot",
        "source.publication=file_publication");
    Map<String, String> environment = Map.of("ROWLOG_DATA_DIR", "/from/environment", "ROWLOG_SOURCE_SLOT",
        "environment_slot");
    // When
    Settings settings = load(Map.of("data.dir", "/from/flag"), environment, file);
    // Then
    assertThat(settings.get("data.dir")).isEqualTo(new Setting("data.dir", "/from/flag", new Origin.Flag("data.dir")));
    assertThat(settings.get("source.slot"))
        .isEqualTo(new Setting("source.slot", "environment_slot", new Origin.Environment("ROWLOG_SOURCE_SLOT")));
    assertThat(settings.get("source.publication"))
        .isEqualTo(new Setting("source.publication", "file_publication", new Origin.PropertiesFile(file, 5)));
    assertThat(settings.get("http.listen"))
        .isEqualTo(new Setting("http.listen", "127.0.0.1:8080", new Origin.Default()));
  }

  @Test
  void shouldNameTheLineOfAKeyBehindAContinuedOne() throws IOException {
    Path file = file("source.tables=public.a,\\", "  public.b", "source.slot=other");
    Settings settings = load(Map.of(), Map.of(), file);
    assertThat(settings.text("source.tables")).isEqualTo("public.a,public.b");
    assertThat(settings.get("source.slot").origin()).isEqualTo(new Origin.PropertiesFile(file, 3));
  }

  @Test
  void shouldReadASecretFromAFileWithoutItsLineEnd() throws IOException {
    // Given
    Path secret = Files.writeString(folder.resolve("secret"), "p@ss word\n");
    // When
    Settings settings = load(Map.of(), Map.of("ROWLOG_SOURCE_PASSWORD_FILE", secret.toString()), null);
    // Then
    Setting password = settings.get("source.password");
    assertThat(password.value()).isEqualTo("p@ss word");
    assertThat(password.origin()).isEqualTo(new Origin.SecretFile("ROWLOG_SOURCE_PASSWORD_FILE", secret));
    assertThat(password.toString()).doesNotContain("p@ss");
  }

  @Test
  void shouldNameVariableAndFileWhenASecretFileIsMissing() {
    assertThatThrownBy(() -> load(Map.of(), Map.of("ROWLOG_SOURCE_PASSWORD_FILE", "/no/such/file"), null))
        .isInstanceOf(ConfigException.class)
        .hasMessage("environment ROWLOG_SOURCE_PASSWORD_FILE: /no/such/file cannot be read: no such file");
  }

  @Test
  void shouldRefuseAKeyThatVariableAndSecretFileBothSet() throws IOException {
    Path secret = Files.writeString(folder.resolve("secret"), "x");
    assertThatThrownBy(() -> load(Map.of(),
        Map.of("ROWLOG_SOURCE_PASSWORD", "y", "ROWLOG_SOURCE_PASSWORD_FILE", secret.toString()), null))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("source.password is given twice");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "topic.segment.byte | did you mean topic.segment.bytes?",
      "source.table       | did you mean source.tables?",
      "log.cleaner.enabled| did you mean log.cleaner.enable?",
      "zzz                | 'rowlog config show' lists the keys",
      "topic.max.message.bytes | mirrored logs take rows of any size",
      "log.cleaner.threads     | one thread cleans"})
  void shouldRefuseAnUnknownKeyWithAHint(String key, String hint) {
    assertThatThrownBy(() -> load(Map.of(key, "1"), Map.of(), null))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(key)
        .hasMessageContaining(hint)
        .hasMessageContaining("flag --" + key);
  }

  @Test
  void shouldNameEveryUnknownKeyWithItsOrigin() throws IOException {
    // Given
    Path file = file("source.slotname=x");
    // When
    ConfigException e = assertThrows(ConfigException.class,
        () -> load(Map.of(), Map.of("ROWLOG_DATADIR", "x"), file));
    // Then
    assertThat(e.problems()).satisfiesExactlyInAnyOrder(
        problem -> assertThat(problem).contains("unknown key datadir (from environment ROWLOG_DATADIR)", "data.dir"),
        problem -> assertThat(problem).contains("unknown key source.slotname (from " + file + " line 1)",
            "source.slot"));
  }

  @Test
  void shouldRefuseAKeyThatStandsTwiceInTheFile() throws IOException {
    Path file = file("data.dir=a", "data.dir=b");
    assertThatThrownBy(() -> load(Map.of(), Map.of(), file))
        .hasMessageContaining("data.dir is given twice").hasMessageContaining("line 2");
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "ROWLOG_SERVICE_HOST", "ROWLOG_SERVICE_PORT", "ROWLOG_SERVICE_PORT_HTTP", "ROWLOG_PORT", "ROWLOG_PORT_8080_TCP",
      "ROWLOG_PORT_8080_TCP_ADDR", "ROWLOG_HTTP_SERVICE_HOST", "ROWLOG_HEAP", "ROWLOG_CONFIG", "ROWLOGGER", "PATH"})
  void shouldLeaveVariablesAloneThatAreNotConfiguration(String variable) {
    assertThat(load(Map.of(), Map.of(variable, "tcp://10.0.0.1:8080"), null).all())
        .allMatch(s -> s.origin() instanceof Origin.Default);
  }

  @ParameterizedTest
  @CsvSource({
      "ROWLOG_SOURCE_DEBEZIUM_MAX_BATCH_SIZE, max.batch.size",
      "ROWLOG_SOURCE_DEBEZIUM_SOME__KEY, some_key",
      "ROWLOG_SOURCE_DEBEZIUM_SOME___KEY, some-key",
      "ROWLOG_SOURCE_DEBEZIUM_someKey_size, someKey.size"})
  void shouldTurnVariablesIntoPassedThroughKeys(String variable, String key) {
    Settings settings = load(Map.of(), Map.of(variable, "7"), null);
    assertThat(settings.text(ConfigKeys.DEBEZIUM_PREFIX + key)).isEqualTo("7");
  }

  @Test
  void shouldSayWhyAFileCannotBeRead() {
    assertThatThrownBy(() -> load(Map.of(), Map.of(), folder.resolve("missing.properties")))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("missing.properties cannot be read: no such file");
  }

  @Test
  void shouldMaskPasswordsWhereverTheyStand() {
    // Given
    Map<String, String> flags = Map.of("source.url", "postgres://u:secret@h/d?sslpassword=secret", "source.password",
        "secret",
        "source.debezium.database.my.password", "secret");
    // When
    Settings settings = load(flags, Map.of(), null);
    // Then
    assertThat(settings.all().toString()).doesNotContain("secret")
        .contains("postgres://u:********@h/d?sslpassword=********");
  }

  private Path file(String... lines) throws IOException {
    return Files.write(folder.resolve("rowlog.properties"), List.of(lines));
  }

  private static Settings load(Map<String, String> flags, Map<String, String> environment, Path file) {
    return ConfigLoader.settings(new ConfigSources(flags, environment, Optional.ofNullable(file)));
  }
}
