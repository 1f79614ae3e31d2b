/** One round over one log: map, decide, rewrite, swap. */
package dev.rowlog.engine.cleaner.pass;
