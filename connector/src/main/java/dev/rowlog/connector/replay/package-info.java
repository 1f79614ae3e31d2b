/**
 * Replays logs into targets: commit by commit, from zero or from where the target says it stands. {@code spi} is
 * what a target answers, {@code loop} what drives it. docs/targets.md.
 */
package dev.rowlog.connector.replay;
