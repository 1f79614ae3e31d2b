/** Which log, which offsets, which records, which segments together; pure decisions. */
package dev.rowlog.engine.cleaner.plan;
