package dev.rowlog.connector.sink;

/**
 * What a commit brought into one log.
 *
 * @param rows records with a value
 * @param bytes of keys and values
 * @param toastFills rows whose unchanged TOASTed values were looked up in the log
 */
public record LogWrites(String topic, long rows, long tombstones, long bytes, long toastFills) {}
