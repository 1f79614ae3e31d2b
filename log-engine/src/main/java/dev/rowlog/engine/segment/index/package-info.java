/** What a segment keeps beside its {@code .log} to find batches by offset and time. */
package dev.rowlog.engine.segment.index;
