package dev.rowlog.connector.mirror;

import dev.rowlog.engine.log.TopicPartition;

/** What became of one log of a {@link CleanRequest}: each log stands alone, one that cannot be read stops no other. */
public sealed interface CleaningResult permits CleanedLog, UncleanedLog {
  TopicPartition log();
}
