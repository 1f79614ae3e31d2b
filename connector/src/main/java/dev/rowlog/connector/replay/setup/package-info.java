/** From the configuration to replays that run. */
package dev.rowlog.connector.replay.setup;
