package dev.rowlog.connector.cli.topic;

import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.command.DataOptions;
import dev.rowlog.connector.config.setting.Settings;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.replay.DirectoryReader;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which log of which data directory a command looks at. */
public final class LogOptions {
  @Mixin
  private DataOptions data;

  @Parameters(index = "0", paramLabel = "TOPIC", description = "The topic's name, a mirrored table's (public.orders), or a folder's such as orders-3.")
  private String topic;

  @Option(names = "--partition", paramLabel = "N", description = "Partition, in a folder that Kafka wrote. Default: 0.")
  private Integer partition;

  /** The caller closes it. */
  public DirectoryReader open(CommandContext context) {
    return data.open(context);
  }

  /**
   * @throws dev.rowlog.engine.error.UnknownTopicException with the nearest name
   */
  public TopicPartition find(DirectoryReader reader) {
    return LogSelection.find(topic, partition, reader);
  }

  Settings settings(CommandContext context) {
    return data.settings(context);
  }
}
