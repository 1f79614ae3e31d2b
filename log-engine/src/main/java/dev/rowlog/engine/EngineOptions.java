package dev.rowlog.engine;

import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import java.nio.file.Path;
import java.util.Objects;

/**
 * What an engine is opened with.
 *
 * @param directory the data directory
 * @param logDefaults configuration of logs that have none of their own
 * @param committed true for a mirror: logs are governed by a commit log, which is created where it is missing; false: each log's high watermark is
 *     its end, unless a commit log is there
 */
public record EngineOptions(Path directory, LogConfig logDefaults, CleanerConfig cleaner, boolean committed) {
  public EngineOptions {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(logDefaults, "logDefaults");
    Objects.requireNonNull(cleaner, "cleaner");
  }
}
