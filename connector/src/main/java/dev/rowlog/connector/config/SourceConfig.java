package dev.rowlog.connector.config;

import dev.rowlog.connector.catalog.TablePatterns;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The database to mirror: {@code source.*}.
 *
 * @param name first part of every topic's name
 * @param connections that read tables in a snapshot
 */
public record SourceConfig(
    SourceUrl url,
    TablePatterns tables,
    String name,
    String slot,
    String publication,
    int connections,
    DebeziumPassThrough debezium) {
  public SourceConfig {
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(tables, "tables");
    Objects.requireNonNull(debezium, "debezium");
  }

  static SourceConfig of(Settings settings) {
    SourceUrl url = url(settings);
    return new SourceConfig(
        url,
        tables(settings),
        name(settings, url.database()),
        checked(settings.get("source.slot"), "[a-z0-9_]{1,63}", "must be 1 to 63 of a-z, 0-9 and _"),
        publication(settings.get("source.publication")),
        settings.wholeNumber("source.connections", 1, 64),
        DebeziumPassThrough.of(settings));
  }

  /**
   * The connection alone: what {@code rowlog init} needs.
   *
   * @throws ConfigException where the URL does not hold
   */
  public static SourceUrl url(Settings settings) {
    Setting setting = settings.find("source.url").orElse(null);
    try {
      SourceUrl url = SourceUrl.of(setting == null ? null : setting.value(), settings.environment());
      return settings.find("source.password").map(password -> url.withPassword(password.value())).orElse(url);
    } catch (IllegalArgumentException e) {
      if (setting == null) {
        throw new ConfigException("source.url " + e.getMessage());
      }
      throw ConfigException.badValue(setting, e.getMessage());
    }
  }

  /**
   * The tables alone.
   *
   * @throws ConfigException where they cannot be read
   */
  public static TablePatterns tables(Settings settings) {
    Setting setting = settings.get("source.tables");
    try {
      return TablePatterns.parse(setting.value());
    } catch (IllegalArgumentException e) {
      throw ConfigException.badValue(setting, e.getMessage());
    }
  }

  private static String name(Settings settings, String database) {
    String legal = "[a-zA-Z0-9_-][a-zA-Z0-9._-]{0,99}";
    return settings
        .find("source.name")
        .map(setting -> checked(setting, legal,
            "must be 1 to 100 of a-z, A-Z, 0-9, '.', '_' and '-', not beginning with '.'"))
        .orElseGet(() -> {
          if (database.matches(legal)) {
            return database;
          }
          throw new ConfigException(
              "source.name is required: the database's name '" + database
                  + "' cannot begin a topic's name (a-z, A-Z, 0-9, '.', '_', '-')");
        });
  }

  private static String publication(Setting setting) {
    int bytes = setting.value().getBytes(StandardCharsets.UTF_8).length;
    if (bytes < 1 || bytes > 63) {
      throw ConfigException.badValue(setting, "must be 1 to 63 bytes");
    }
    return setting.value();
  }

  private static String checked(Setting setting, String legal, String allowed) {
    if (!setting.value().matches(legal)) {
      throw ConfigException.badValue(setting, allowed);
    }
    return setting.value();
  }
}
