/** Kafka's configuration keys of logs and of the cleaner, each value checked. */
package dev.rowlog.engine.log.config;
