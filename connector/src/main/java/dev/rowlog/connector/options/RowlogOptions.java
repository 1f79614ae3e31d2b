package dev.rowlog.connector.options;

import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * What {@code rowlog run} is started with.
 *
 * @param dataDirectory {@code data.dir}
 * @param topicPrefix first part of each topic's name
 * @param topic configuration of the mirrored logs ({@code topic.*})
 * @param cleaner {@code log.cleaner.*}
 * @param snapshotReaders connections that read tables side by side in a first snapshot
 * @param heartbeat how often a logical message is sent round; three of them without an answer make the mirror not ready
 */
public record RowlogOptions(
    SourceOptions source,
    Path dataDirectory,
    String topicPrefix,
    LogConfig topic,
    CleanerConfig cleaner,
    HttpOptions http,
    int snapshotReaders,
    Duration heartbeat) {
  public static final int DEFAULT_SNAPSHOT_READERS = 2;
  public static final Duration DEFAULT_HEARTBEAT = Duration.ofSeconds(5);

  public RowlogOptions {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(dataDirectory, "dataDirectory");
    Objects.requireNonNull(topicPrefix, "topicPrefix");
    Objects.requireNonNull(topic, "topic");
    Objects.requireNonNull(cleaner, "cleaner");
    Objects.requireNonNull(http, "http");
    Objects.requireNonNull(heartbeat, "heartbeat");
    if (snapshotReaders < 1) {
      throw new IllegalArgumentException("snapshotReaders is below 1: " + snapshotReaders);
    }
  }
}
