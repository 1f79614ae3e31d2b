package dev.rowlog.connector.config.setting;

import java.util.List;

/**
 * Settings with what was wrong when their sources were put together.
 *
 * @param settings known keys only
 * @param problems unknown keys, keys given twice, files that cannot be read; sorted
 */
public record LoadedSettings(Settings settings, List<String> problems) {
  public LoadedSettings {
    problems = List.copyOf(problems);
  }
}
