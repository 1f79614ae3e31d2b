/** A log in numbers, segment by segment, and why a segment is not cleaned yet. */
package dev.rowlog.engine.inspect.stats;
