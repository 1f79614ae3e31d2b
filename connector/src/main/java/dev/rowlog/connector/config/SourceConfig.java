package dev.rowlog.connector.config;

import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.config.setting.ConfigException;
import dev.rowlog.connector.config.setting.Problems;
import dev.rowlog.connector.config.setting.Setting;
import dev.rowlog.connector.config.setting.Settings;
import dev.rowlog.connector.config.url.SourceUrl;
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
  /** The one problem that a configuration may have before it is used. */
  public static final String URL_REQUIRED = "source.url " + SourceUrl.REQUIRED;

  public SourceConfig {
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(tables, "tables");
    Objects.requireNonNull(debezium, "debezium");
  }

  static SourceConfig of(Settings settings) {
    Problems problems = new Problems();
    SourceUrl url = problems.collect(() -> url(settings));
    TablePatterns tables = problems.collect(() -> tables(settings));
    String name = problems.collect(() -> name(settings, url));
    String slot = problems.collect(
        () -> checked(settings.get("source.slot"), "[a-z0-9_]{1,63}", "must be 1 to 63 of a-z, 0-9 and _"));
    String publication = problems.collect(() -> publication(settings.get("source.publication")));
    Integer connections = problems.collect(() -> settings.wholeNumber("source.connections", 1, 64));
    DebeziumPassThrough debezium = problems.collect(() -> DebeziumPassThrough.of(settings));
    problems.throwIfAny();
    return new SourceConfig(url, tables, name, slot, publication, connections, debezium);
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

  /**
   * @param url null where it does not hold: then there is no database to name topics by
   */
  private static String name(Settings settings, SourceUrl url) {
    String legal = "[a-zA-Z0-9_-][a-zA-Z0-9._-]{0,99}";
    return settings
        .find("source.name")
        .map(setting -> checked(setting, legal,
            "must be 1 to 100 of a-z, A-Z, 0-9, '.', '_' and '-', not beginning with '.'"))
        .orElseGet(() -> {
          if (url == null || url.database().matches(legal)) {
            return url == null ? "" : url.database();
          }
          throw new ConfigException(
              "source.name is required: the database's name '" + url.database()
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
