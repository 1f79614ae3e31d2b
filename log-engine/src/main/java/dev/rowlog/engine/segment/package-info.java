/**
 * Segment files of one log: {@code .log} with its offset, time and transaction index, and the loop that walks a
 * {@code .log}.
 */
package dev.rowlog.engine.segment;
