package dev.rowlog.connector.mirror;

import dev.rowlog.engine.cleaner.CleaningReport;

/**
 * What a requested pass did to one log.
 *
 * @param cpuNanos of the whole process during the pass
 */
public record CleanedLog(CleaningReport report, long cpuNanos) {}
