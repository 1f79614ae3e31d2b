/** The mirror from one start to the next failure: checks the source, takes the first snapshot, follows the stream, starts again. */
package dev.rowlog.connector.session;
