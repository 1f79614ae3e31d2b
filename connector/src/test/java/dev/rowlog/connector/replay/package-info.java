/** Targets against real servers. */
package dev.rowlog.connector.replay;
