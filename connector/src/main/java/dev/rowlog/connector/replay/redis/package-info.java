/** Rows as keys of Redis. */
package dev.rowlog.connector.replay.redis;
