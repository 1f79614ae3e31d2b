/** What a pass reads, holds and is held to: batches, segments, a rate, a signal to stop. */
package dev.rowlog.engine.cleaner.io;
