package dev.rowlog.connector.config.setting;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What a configuration is made of.
 *
 * @param flags keys of the command line, without {@code --}
 * @param environment every variable of the process; those that do not begin with {@code ROWLOG_} or {@code PG} are not
 *     looked at
 * @param file the configuration file
 */
public record ConfigSources(Map<String, String> flags, Map<String, String> environment, Optional<Path> file) {
  public ConfigSources {
    flags = Map.copyOf(flags);
    environment = Map.copyOf(environment);
  }
}
