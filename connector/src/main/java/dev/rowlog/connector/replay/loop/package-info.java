/** Moves a target from commit to commit, from zero or from its own position, until the end or for good. */
package dev.rowlog.connector.replay.loop;
