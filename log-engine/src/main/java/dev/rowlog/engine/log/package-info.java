/**
 * One log: its segments, offsets, appends, rolls, replacements, and how it is opened again after a crash; and the
 * folder of all logs.
 */
package dev.rowlog.engine.log;
