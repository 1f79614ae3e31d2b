package dev.rowlog.connector.metrics;

import dev.rowlog.connector.change.Lsn;
import java.util.OptionalLong;

/**
 * Slot and write-ahead log as the source last told them.
 *
 * @param insertLsn where the source writes next
 * @param restartLsn what the slot makes the source keep begins here; null where there is no slot
 * @param safeBytes how much the source may still write before it gives the slot up; empty where nothing bounds it
 */
public record SourceFigures(Lsn insertLsn, Lsn restartLsn, OptionalLong safeBytes) {}
