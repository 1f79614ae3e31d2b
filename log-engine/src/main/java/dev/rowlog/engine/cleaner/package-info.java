/**
 * Compaction: which log to clean, the map of newest offsets, what to keep, the rewritten segments (KIP-58, KIP-354,
 * KIP-534).
 */
package dev.rowlog.engine.cleaner;
