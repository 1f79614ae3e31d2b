package dev.rowlog.connector.mirror;

import dev.rowlog.engine.log.TopicPartition;

/**
 * A log whose requested pass failed; it is as it was, or cleaned in part.
 *
 * @param error one sentence
 */
public record UncleanedLog(TopicPartition log, String error) implements CleaningResult {}
