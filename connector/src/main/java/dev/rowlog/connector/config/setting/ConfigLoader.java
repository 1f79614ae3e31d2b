package dev.rowlog.connector.config.setting;

import dev.rowlog.connector.config.key.ConfigKeys;
import dev.rowlog.connector.config.key.EnvironmentNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Puts the sources together: flag before environment before file before default; an unknown key is an error with its
 * nearest match.
 */
public final class ConfigLoader {
  private final ConfigSources sources;
  private final Map<String, Setting> effective = new HashMap<>();
  private final Problems problems = new Problems();

  private ConfigLoader(ConfigSources sources) {
    this.sources = sources;
  }

  /**
   * The settings, their keys checked, their values not yet: each concern does that.
   *
   * @throws ConfigException with every problem found
   */
  public static Settings settings(ConfigSources sources) {
    LoadedSettings loaded = load(sources);
    if (!loaded.problems().isEmpty()) {
      throw new ConfigException(loaded.problems());
    }
    return loaded.settings();
  }

  /** The settings with every problem found in their sources, for those who tell more problems besides. */
  public static LoadedSettings load(ConfigSources sources) {
    return new ConfigLoader(sources).load();
  }

  private LoadedSettings load() {
    ConfigKeys.all().forEach(key -> key.defaultText()
        .ifPresent(text -> effective.put(key.name(), new Setting(key.name(), text, new Origin.Default()))));
    sources.file().ifPresent(this::putFile);
    putEnvironment();
    sources.flags().forEach((key, value) -> put(new Setting(key, value, new Origin.Flag(key))));
    return new LoadedSettings(
        new Settings(effective, sources.environment()), problems.found().stream().sorted().toList());
  }

  private void putFile(Path file) {
    Set<String> seen = new HashSet<>();
    List<Setting> given = problems.collect(() -> PropertiesLines.read(file));
    for (Setting setting : given == null ? List.<Setting>of() : given) {
      if (!seen.add(setting.key())) {
        problems.add(setting.key() + " is given twice, the second time in " + setting.origin());
      }
      put(setting);
    }
  }

  private void putEnvironment() {
    Map<String, Setting> found = new TreeMap<>();
    new TreeMap<>(sources.environment())
        .forEach((variable, value) -> EnvironmentNames.keyOf(variable).ifPresent(key -> {
          Setting setting = problems.collect(() -> setting(variable, key, value));
          if (setting == null) {
            return;
          }
          Setting other = found.put(setting.key(), setting);
          if (other != null) {
            problems.add(setting.key() + " is given twice: " + other.origin() + " and " + setting.origin());
          }
        }));
    found.values().forEach(this::put);
  }

  private Setting setting(String variable, String key, String value) {
    if (!variable.endsWith(EnvironmentNames.FILE_SUFFIX) || ConfigKeys.find(key).isPresent()) {
      return new Setting(key, value, new Origin.Environment(variable));
    }
    String named = EnvironmentNames
        .keyOf(variable.substring(0, variable.length() - EnvironmentNames.FILE_SUFFIX.length())).orElse(key);
    if (!ConfigKeys.isKnown(named)) {
      return new Setting(named, value, new Origin.Environment(variable));
    }
    return new Setting(named, secret(variable, value), new Origin.SecretFile(variable, Path.of(value)));
  }

  /** The file's text without the line end that editors add. */
  private static String secret(String variable, String path) {
    try {
      return Files.readString(Path.of(path), StandardCharsets.UTF_8).replaceFirst("\\R$", "");
    } catch (IOException e) {
      throw new ConfigException(
          "environment " + variable + ": " + path + " cannot be read: " + PropertiesLines.reason(e));
    } catch (InvalidPathException e) {
      throw new ConfigException("environment " + variable + " is not the path of a file");
    }
  }

  private void put(Setting setting) {
    if (ConfigKeys.isKnown(setting.key())) {
      effective.put(setting.key(), setting);
    } else {
      problems.add(UnknownKey.message(setting));
    }
  }
}
