/**
 * Replays logs into targets: commit by commit, from zero or from where the target says it stands. Subpackages are one
 * target each. docs/targets.md.
 */
package dev.rowlog.connector.replay;
