/** A directory beside its writer, seen at one commit without its lock. */
package dev.rowlog.engine.replay.snapshot;
