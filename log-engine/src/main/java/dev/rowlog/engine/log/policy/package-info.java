/** When a segment is closed and when it goes; pure decisions. */
package dev.rowlog.engine.log.policy;
