/** The folder of all logs: its lock, version and checkpoints. */
package dev.rowlog.engine.log.directory;
