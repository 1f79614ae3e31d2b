/** Records and record batches, version 2 of Apache Kafka's format: bytes in memory, no files. */
package dev.rowlog.engine.record;
